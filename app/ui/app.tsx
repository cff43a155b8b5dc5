// The screen: what is finished goes up into the scrollback; below it what is live, the editor or an overlay, and the status line.
import { Box, Text, useIsScreenReaderEnabled, useWindowSize } from 'ink'
import { useEffect, useMemo } from 'react'
import type { ReactElement } from 'react'
import { SessionComposer } from './editor/session-composer.tsx'
import { useAttention } from './hooks/use-attention.ts'
import { useBehavior } from './hooks/use-behavior.ts'
import { useScreenActions } from './hooks/use-screen-actions.ts'
import { ThemeContext, useTheme } from './hooks/use-theme.ts'
import { useUi } from './hooks/use-ui.ts'
import { Keyboard } from './keys/keyboard.tsx'
import { KeymapContext } from './keys/use-keys.ts'
import { layOut } from './lay-out.ts'
import { loadHighlighter } from './markdown/code-lines.ts'
import { runAction } from './run-action.ts'
import { Pages } from './pages/pages.tsx'
import { QueueLines } from './status/queue-lines.tsx'
import { Offer } from './session/offer.tsx'
import { StatusLine } from './status/status-line.tsx'
import { WorkingLine } from './status/working-line.tsx'
import { Overlays } from './overlays.tsx'
import { createTheme } from './theme/theme.ts'
import { Finished } from './transcript/transcript.tsx'

export function App(): ReactElement {
  const ui = useUi()
  const view = useBehavior(ui.view$)
  const keymap = useBehavior(ui.keys.keymap$)
  const fitting = useTheme()
  const chosen = view.theme
  const theme = useMemo(
    () => (chosen === undefined ? fitting : createTheme(chosen, fitting.colours)),
    [chosen, fitting],
  )
  const { columns, rows } = useWindowSize()
  const screen = useScreenActions(columns, theme)
  useAttention(view)
  useEffect(() => {
    void loadHighlighter() // behind the first frame
  }, [])
  const isRead = useIsScreenReaderEnabled()
  const { finished, finishedCount, queue, running, overlay, generation } = view
  const { options, lines, covered, page, editor } = layOut(view, { columns, rows, theme, isRead })
  return (
    <Keyboard isCurrent={() => ui.now().overlay === overlay}>
      <KeymapContext value={keymap}>
        <ThemeContext value={theme}>
          <Finished items={finished} count={finishedCount} options={options} key={generation} />
          <Box flexDirection="column">
            {lines.length > 0 && <Text>{lines.join('\n')}</Text>}
            <Text> </Text>
            <WorkingLine view={view} columns={options.columns} />
            <QueueLines queue={queue} isRunning={running !== undefined} columns={options.columns} />
            {overlay?.name === 'offer' && <Offer sessions={overlay.sessions} columns={options.columns} />}
            <Pages view={view} columns={columns} height={page} />
            <Overlays view={view} columns={options.columns} rows={covered} />
            <SessionComposer
              view={view}
              columns={columns}
              rows={editor}
              onAction={(name) => {
                runAction(ui, name, screen)
              }}
            />
            <StatusLine view={view} columns={options.columns} />
          </Box>
        </ThemeContext>
      </KeymapContext>
    </Keyboard>
  )
}
