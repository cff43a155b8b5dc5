// Slash commands that copy the last answer and show what runs behind the screen.
import { map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { version } from '../../process/version.ts'
import type { Ui } from '../contract/ui.ts'
import { clipboardCondition, clipboardRefusal, clipboardSequence } from '../terminal/clipboard.ts'
import { duration } from '../text/duration.ts'
import { span } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { askServer, notify, openPicker, withSession } from './ask-server.ts'
import type { SlashCommand } from './slash-command.ts'
import { countOf } from '../../../lib/streams/values/count-of.ts'

export const screenCommands: readonly SlashCommand[] = [
  {
    name: 'copy',
    description: 'copy the last answer to the clipboard',
    isOffered: ({ session }) => session !== undefined,
    run: copyAnswer,
  },
  {
    name: 'todo',
    description: 'show the steps of the agent',
    isOffered: ({ session }) => session !== undefined,
    run: (ui) => {
      ui.input({ type: 'overlay', overlay: { name: 'plan' } })
    },
  },
  {
    name: 'jobs',
    description: 'show background jobs; read their output or end them',
    isOffered: ({ session }) => session !== undefined,
    run: (ui) => {
      openPicker(ui, 'jobs')
    },
  },
  {
    name: 'output',
    description: 'show the whole output of the last call',
    isOffered: ({ session }) => session !== undefined,
    run: (ui) => {
      ui.input({ type: 'overlay', overlay: { name: 'output' } })
    },
  },
  {
    name: 'status',
    description: 'show session, server and socket',
    run: (ui) => {
      askServer(ui, { type: 'server_status' }, (found) => {
        ui.input({ type: 'overlay', overlay: { name: 'page', title: 'Status', lines: statusLines(ui, found) } })
      })
    },
  },
]

/** Number of the last entries in which the answer is looked for. */
const searchedEntries = 50

function copyAnswer(ui: Ui): void {
  const { env } = ui.surroundings
  const refusal = clipboardRefusal(env)
  if (refusal !== undefined) {
    notify(ui, `${refusal}; /export writes the session to a file`, 'warning')
    return
  }
  withSession(ui, (session) => {
    lastAnswer(ui, session).subscribe({
      next: (text) => {
        const sequence = text === undefined ? undefined : clipboardSequence(text)
        if (text === undefined) notify(ui, 'There is no answer to copy yet', 'warning')
        else if (sequence === undefined)
          notify(ui, 'The answer is too long for the clipboard of a terminal; /export writes it to a file', 'warning')
        else {
          ui.toTerminal(sequence)
          const words = `Copied the last answer (${countOf(text.length, 'character')}), ${clipboardCondition(env)}`
          notify(ui, words, 'success')
        }
      },
      error: (error: unknown) => {
        ui.input(failureNotice(error))
      },
    })
  })
}

/** Emits the text of the last answer that has one, and completes. */
function lastAnswer(ui: Ui, session: string): Observable<string | undefined> {
  return ui.request({ type: 'get_state', session }).pipe(
    mergeMap(({ headEntryId }) => {
      if (headEntryId === null) return of(undefined)
      const range = { branch: headEntryId, before: Number.MAX_SAFE_INTEGER, limit: searchedEntries }
      return ui.request({ type: 'get_entries', session, ...range }).pipe(
        map(({ entries }) =>
          entries
            .filter(({ message }) => message.role === 'assistant')
            .map(({ message }) => messageText(message))
            .findLast((text) => text.trim() !== ''),
        ),
      )
    }),
  )
}

function statusLines(ui: Ui, found: ResultOf<'server_status'>): readonly Line[] {
  const { session, model, connection } = ui.now()
  const { pid, version: serverVersion, uptimeMs, socket, startedBy, clients, sessions, memory } = found
  const start = startedBy === 'client' ? ', started by a client' : ''
  const rows = [
    ['rxpi', version],
    ['session', session === undefined ? 'none' : session.id],
    ['folder', session?.cwd ?? ui.surroundings.cwd],
    ['model', model],
    ['server', `process ${pid}, version ${serverVersion}, for ${duration(uptimeMs)}${start}`],
    ['socket', socket ?? 'none'],
    ['connection', connection],
    ['sessions', `${sessions.open} open, ${sessions.running} running`],
    ['clients', String(clients)],
    ['memory', `${Math.round(memory.rssBytes / 1_048_576)} MiB`],
  ]
  return rows.map(([name = '', text = '']) => [span(`  ${name.padEnd(12)}`, 'dim'), span(text)])
}
