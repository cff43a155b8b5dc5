// Root component: the conversation above, then the frame with editor or overlay and status row.
import { Box, Text, useIsScreenReaderEnabled, useWindowSize } from 'ink'
import type { DOMElement } from 'ink'
import { useEffect, useMemo, useRef } from 'react'
import type { ReactElement } from 'react'
import { SessionComposer } from '../composer/session-composer.tsx'
import { useAttention } from './use-attention.ts'
import { useBehavior } from '../hooks/use-behavior.ts'
import { useScreenActions } from './use-screen-actions.ts'
import { ThemeContext, useTheme } from '../hooks/use-theme.ts'
import { useTranscript } from './use-transcript.ts'
import { useUi } from '../hooks/use-ui.ts'
import { Keyboard } from '../keys/keyboard.tsx'
import { keyLabel } from '../keys/key-name.ts'
import { keysOf } from '../keys/keymap.ts'
import { KeymapContext } from '../keys/use-keys.ts'
import { useExtensionKeys } from './use-extension-keys.ts'
import { layOut } from './screen-layout.ts'
import { loadHighlighter } from '../markdown/code-lines.ts'
import { runAction } from './run-action.ts'
import { Panels } from '../panels/panels.tsx'
import { Pages } from '../pages/pages.tsx'
import { QueueLines } from '../status/queue-lines.tsx'
import { Offer } from '../pickers/session-offer.tsx'
import { StatusRow } from '../status/status-row.tsx'
import { Overlays } from './overlays.tsx'
import { SurfaceParts } from '../surfaces/surface-lines.tsx'
import type { SurfaceRows } from '../surfaces/surface-rows.ts'
import { useSurfaceSize } from '../surfaces/use-surface-size.ts'
import { surfaceWithKeys } from '../view/fold-screen.ts'
import { createTheme } from '../theme/theme.ts'
import type { Theme } from '../theme/theme.ts'
import { hasSameFrame } from '../view/view.ts'
import type { View } from '../view/view.ts'

export function App(): ReactElement {
  const ui = useUi()
  const view = useBehavior(ui.view$, hasSameFrame)
  const keymap = useExtensionKeys(useBehavior(ui.keys.keymap$), view.extensions)
  const theme = useChosenTheme(view)
  const { columns, rows } = useWindowSize()
  const isRead = useIsScreenReaderEnabled()
  const frame = useRef<DOMElement>(null)
  const [openKey] = keysOf(keymap, 'showOutput').map(keyLabel)
  const size = { columns, rows, theme, isRead, openKey }
  useTranscript(size, frame) // must see a change of look before a redraw is requested
  const screen = useScreenActions(columns, theme)
  useAttention(view)
  useEffect(() => {
    void loadHighlighter() // after the first frame
  }, [])
  const { queue, running, overlay, editing } = view
  const isCurrent = useIsCurrent(view)
  const { options, panels, covered, page, editor, completion, hasRules, surfaces } = layOut(view, size)
  return (
    <Keyboard isCurrent={isCurrent}>
      <KeymapContext value={keymap}>
        <ThemeContext value={theme}>
          <Box ref={frame} flexDirection="column">
            <Text> </Text>
            <SurfaceParts parts={surfaces.header} columns={columns - 1} />
            <QueueLines queue={queue} editing={editing} isRunning={running !== undefined} columns={options.columns} />
            <Panels view={view} columns={options.columns} rows={panels} />
            {overlay?.name === 'offer' && <Offer sessions={overlay.sessions} columns={options.columns} />}
            <Pages view={view} columns={columns} height={page} />
            <Overlays view={view} columns={options.columns} rows={covered} />
            <SurfaceParts parts={surfaces.above} columns={columns - 1} />
            <SessionComposer
              view={view}
              columns={columns}
              rows={editor}
              surfaceRows={surfaces.dialog + surfaces.editor}
              listRows={completion}
              hasRules={hasRules}
              onAction={(name) => {
                runAction(ui, name, screen)
              }}
            />
            <Bottom view={view} surfaces={surfaces} size={size} width={options.columns} />
          </Box>
        </ThemeContext>
      </KeymapContext>
    </Keyboard>
  )
}

interface BottomProps {
  readonly view: View
  readonly surfaces: SurfaceRows
  /** Of the terminal. */
  readonly size: { readonly columns: number; readonly rows: number }
  /** Cells of the status row. */
  readonly width: number
}

/** The status row between the surfaces below it and above it. */
function Bottom({ view, surfaces, size, width }: BottomProps): ReactElement {
  const columns = Math.max(20, size.columns - 1)
  useSurfaceSize(view, columns, size.rows)
  return (
    <>
      <SurfaceParts parts={surfaces.below} columns={columns} />
      <StatusRow view={view} columns={width} />
      <SurfaceParts parts={surfaces.footer} columns={columns} />
    </>
  )
}

/** True while the keys still belong to what the screen shows. */
function useIsCurrent(view: View): () => boolean {
  const ui = useUi()
  const { overlay, editing } = view
  const surface = surfaceWithKeys(view)?.id
  return () => {
    const now = ui.now()
    return now.overlay === overlay && now.editing === editing && surfaceWithKeys(now)?.id === surface
  }
}

/** The user's theme, or that of an extension; absent: the one that fits the background. */
function useChosenTheme({ theme, extensionTheme, extensions: { themes } }: View): Theme {
  const fitting = useTheme()
  const own = themes.find(({ name }) => name === extensionTheme)
  return useMemo(() => {
    if (own !== undefined) return createTheme(own.base, fitting.colours, own.colours)
    return theme === undefined ? fitting : createTheme(theme, fitting.colours)
  }, [theme, own, fitting])
}
