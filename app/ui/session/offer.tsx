// A run that is on in this folder, or a question that waits, is offered before a new session is begun.
import { Box, Text } from 'ink'
import type { ReactElement } from 'react'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/command.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { age } from '../../age.ts'
import { useNewest } from '../hooks/use-newest.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
import { useListKeys } from '../keys/use-keys.ts'
import { moved } from '../pickers/picker-state.ts'
import { cutToWidth } from '../text/cell-width.ts'
import { span } from '../text/span.ts'
import type { Ui } from '../ui.ts'
import type { ListedSession } from './choose-session.ts'

export interface OfferProps {
  readonly sessions: readonly ListedSession[]
  /** Cells. */
  readonly columns: number
}

export function Offer({ sessions, columns }: OfferProps): ReactElement {
  const ui = useUi()
  const { paint } = useTheme()
  const chosen = useNewest<number>(0)
  const count = sessions.length + 1
  useListKeys((action, press) => {
    const now = chosen.now()
    if (action === 'listAccept') begin(ui, sessions[now]?.id)
    else if (action === 'listCancel' || (press.kind === 'text' && press.text === 'n')) begin(ui, undefined)
    else if (press.kind === 'key' && press.name === 'ctrl+c') ui.leave()
    else chosen.put(moved(now, action, count, count))
  }, true)
  const lines = [...sessions.map(wordsOf), 'A new session'].map((words, index) => {
    const text = cutToWidth(span(words).text, columns - 4)
    return index === chosen.drawn ? paint('selected', `› ${text}`) : `  ${text}`
  })
  return (
    <Box flexDirection="column">
      <Text>{paint('strong', 'Something is going on in this folder')}</Text>
      {lines.map((line, index) => (
        <Text key={index}>{line}</Text>
      ))}
      <Text>{paint('dim', 'Enter takes it · n begins a new session · Ctrl-C leaves')}</Text>
    </Box>
  )
}

function wordsOf({ live, title, firstWords, updatedAt }: ListedSession): string {
  const state = (live?.asking ?? 0) > 0 ? 'waits for your answer' : 'runs'
  return `${state} · ${title ?? firstWords ?? 'without a title'} · ${age(updatedAt, Date.now())}`
}

function begin(ui: Ui, session: string | undefined): void {
  ui.input({ type: 'overlay' })
  opening(ui, session).subscribe({
    next: (opened) => {
      ui.show(opened)
    },
    error: (error: unknown) => {
      ui.input({ type: 'notice', level: 'error', text: Failure.from(error).message })
    },
  })
}

function opening(ui: Ui, session: string | undefined): Observable<ResultOf<'open_session'>> {
  const { cwd, env } = ui.surroundings
  const surroundings = { cwd, env: { ...env } }
  if (session === undefined) return ui.request({ type: 'new_session', ...surroundings })
  return ui.request({ type: 'open_session', session, ...surroundings })
}
