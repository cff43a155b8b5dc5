// Offers sessions of this folder that run or wait for an answer, before a new one begins.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import { formatAge } from '../../text/age.ts'
import { useLatest } from '../hooks/use-latest.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { moveChoice } from '../lists/list-state.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Ui } from '../contract/ui.ts'
import type { ListedSession } from '../session/choose-session.ts'
import { openNew, openSession } from '../session/open-session.ts'

export interface OfferProps {
  readonly sessions: readonly ListedSession[]
  /** Cells. */
  readonly columns: number
}

export function Offer({ sessions, columns }: OfferProps): ReactElement {
  const ui = useUi()
  const { paint } = useTheme()
  const chosen = useLatest<number>(0)
  const count = sessions.length + 1
  useListKeys((action, press) => {
    const now = chosen.now()
    if (press.kind === 'key' && press.name === 'ctrl+c') ui.leave()
    else if (action === 'listAccept') openOffered(ui, sessions[now]?.id)
    else if (action === 'listCancel' || (press.kind === 'text' && press.text === 'n')) openOffered(ui, undefined)
    else chosen.put(moveChoice(now, action, count, count))
  }, true)
  const lines = [...sessions.map(wordsOf), 'A new session'].map((words, index) => {
    const text = cutToWidth(span(words).text, columns - 4)
    return index === chosen.drawn ? paint('selected', `› ${text}`) : `  ${text}`
  })
  return (
    <Box flexDirection="column">
      <Text>{paint('strong', 'Active sessions in this folder')}</Text>
      {lines.map((line, index) => (
        <Text key={index}>{line}</Text>
      ))}
      <Text>{paint('dim', 'Enter opens it · n starts a new session · Ctrl-C quits')}</Text>
    </Box>
  )
}

function wordsOf({ live, title, firstWords, updatedAt }: ListedSession): string {
  const state = (live?.asking ?? 0) > 0 ? 'waits for your answer' : 'runs'
  return `${state} · ${title ?? firstWords ?? 'without a title'} · ${formatAge(updatedAt, Date.now())}`
}

function openOffered(ui: Ui, session: string | undefined): void {
  ui.input({ type: 'overlay' })
  ui.open(session === undefined ? openNew(ui) : openSession(ui, session, ui.surroundings.cwd))
}
