// A run that is on in this folder, or a question that waits, is offered before a new session is begun.
import { Box, Text, useInput } from 'ink'
import { useRef, useState } from 'react'
import type { ReactElement } from 'react'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/command.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { age } from '../../age.ts'
import { useTheme } from '../hooks/use-theme.ts'
import { useUi } from '../hooks/use-ui.ts'
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
  const [chosen, setChosen] = useState(0)
  const ahead = useRef(0) // several keys may come in one piece, before anything is drawn
  const count = sessions.length + 1
  useInput((input, key) => {
    if (key.upArrow || key.downArrow) {
      ahead.current = (ahead.current + (key.upArrow ? count - 1 : 1)) % count
      setChosen(ahead.current)
    } else if (key.return || input.includes('\r')) begin(ui, sessions[ahead.current]?.id)
    else if (key.escape || input === 'n') begin(ui, undefined)
    else if (key.ctrl && input === 'c') ui.leave()
  })
  const lines = [...sessions.map(wordsOf), 'A new session'].map((words, index) => {
    const text = cutToWidth(span(words).text, columns - 4)
    return index === chosen ? paint('selected', `› ${text}`) : `  ${text}`
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
