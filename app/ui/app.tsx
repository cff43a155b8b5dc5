// The screen: what is finished goes up into the scrollback; below it what is live, the editor or an overlay, and the status line.
import { Box, Text, useWindowSize } from 'ink'
import { useEffect, useMemo } from 'react'
import type { ReactElement } from 'react'
import { SessionComposer } from './editor/session-composer.tsx'
import { useAttention } from './hooks/use-attention.ts'
import { useBehavior } from './hooks/use-behavior.ts'
import { useScreenActions } from './hooks/use-screen-actions.ts'
import { ThemeContext, useTheme } from './hooks/use-theme.ts'
import { useUi } from './hooks/use-ui.ts'
import { KeymapContext } from './keys/use-keys.ts'
import { loadHighlighter } from './markdown/code-lines.ts'
import { runAction } from './run-action.ts'
import { Pages, isPage } from './pages/pages.tsx'
import { QueueLines, queueRows } from './status/queue-lines.tsx'
import { Offer } from './session/offer.tsx'
import { StatusLine } from './status/status-line.tsx'
import { WorkingLine } from './status/working-line.tsx'
import { Overlays, overlayRows } from './overlays.tsx'
import { createTheme } from './theme/theme.ts'
import { liveLines } from './transcript/live-lines.ts'
import { Finished } from './transcript/transcript.tsx'

/** Rows that the editor may take; the live part has what is left. */
const editorRows = 8
/** Rows of the live part that stay while a page is open. */
const liveBesidePage = 2

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
  const screen = useScreenActions(columns)
  useAttention(view)
  useEffect(() => {
    void loadHighlighter() // behind the first frame
  }, [])
  const { finished, finishedCount, live, queue, running, showsThinking, overlay, generation } = view
  const options = { columns: Math.max(20, columns - 1), theme, showsThinking, isExpanded: view.isExpanded }
  const isRunning = running !== undefined
  const waiting = queueRows({ queue, isRunning })
  const covered = overlayRows(view, rows)
  const room = isPage(overlay) ? liveBesidePage : rows - editorRows - waiting - 4 - covered
  const lines = liveLines(live, options, Math.max(2, room))
  return (
    <KeymapContext value={keymap}>
      <ThemeContext value={theme}>
        <Finished items={finished} count={finishedCount} options={options} key={generation} />
        <Box flexDirection="column">
          {lines.length > 0 && <Text>{lines.join('\n')}</Text>}
          <Text> </Text>
          <WorkingLine view={view} columns={options.columns} />
          <QueueLines queue={queue} isRunning={isRunning} columns={options.columns} />
          {overlay?.name === 'offer' && <Offer sessions={overlay.sessions} columns={options.columns} />}
          <Pages view={view} columns={columns} height={Math.max(4, rows - waiting - liveBesidePage - 4)} />
          <Overlays view={view} columns={options.columns} rows={covered} />
          <SessionComposer
            view={view}
            columns={columns}
            rows={Math.max(1, Math.min(editorRows, rows - 4))}
            onAction={(name) => {
              runAction(ui, name, screen)
            }}
          />
          <StatusLine view={view} columns={options.columns} />
        </Box>
      </ThemeContext>
    </KeymapContext>
  )
}
