// Runs `rxpi sessions list` and `search`: a line per session, and the words that a search found.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { formatAge } from '../../text/age.ts'
import type { ListInvocation, SearchInvocation } from '../../cli/invocation.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'
import { shortenFolder } from '../../text/short-folder.ts'

type List = ResultOf<'list_sessions'>
type Listed = List['sessions'][number]

/** Sessions of one request; the output counts the others. */
const listLimit = 10_000

/**
 * Emits the exit code.
 * @param now Unix ms
 */
export function listSessions(
  { cwd, json, ...more }: ListInvocation | SearchInvocation,
  { client, env, stdout, stderr }: World,
  now = Date.now(),
): Observable<number> {
  const text = 'text' in more ? { text: more.text } : {}
  const where = { ...(cwd === undefined ? { all: true } : { cwd }), ...text }
  return client.request({ type: 'list_sessions', ...where, limit: listLimit, includeEmpty: false }).pipe(
    map((list) => {
      for (const problem of list.problems) report(stderr, problem)
      if (json) stdout.json(JSON.stringify(list))
      else stdout.text(listText(list, { cwd, home: env['HOME'], now, ...text }))
      return 0
    }),
  )
}

interface ListContext {
  readonly cwd: string | undefined
  readonly home: string | undefined
  readonly now: number
  readonly text?: string
}

function listText({ sessions, total, more }: List, context: ListContext): string {
  const { cwd, home, text } = context
  const of = cwd === undefined ? '' : ` of ${shortenFolder(cwd, home)}`
  if (sessions.length === 0 && text !== undefined)
    return `No session${of} has "${text}"${of === '' ? '' : '; --all searches all folders'}\n`
  if (sessions.length === 0) return `There are no sessions${of} yet\n`
  const lines = sessions.map((session) => `${lineOf(session, context)}\n`)
  const rest = more ? `and ${total - sessions.length} more\n` : ''
  const title = `Sessions${of === '' ? ' of all folders' : of}${text === undefined ? '' : ` with "${text}"`}`
  return `${title} (${mark} marks the session that "rxpi -c" continues):\n${lines.join('')}${rest}`
}

const mark = '→'

function lineOf(session: Listed, { cwd, home, now }: ListContext): string {
  const { id, isLatest, updatedAt, messages, parent, damaged, match } = session
  const count = messages === undefined ? '' : `${messages} msg`
  const start = `${isLatest ? mark : ' '} ${id}  ${formatAge(updatedAt, now).padEnd(10)}  ${count.padStart(8)}  `
  const origin = parent === undefined ? '' : `  ↳ of ${parent.sessionId}`
  const folder = cwd === undefined ? `  (${shortenFolder(session.cwd ?? session.file, home)})` : ''
  const fault = damaged === undefined ? '' : `  [damaged: ${damaged}]`
  const words = match === undefined ? '' : `\n    ${match}`
  return start + titleOf(session) + origin + folder + fault + words
}

function titleOf({ title, firstWords }: Listed): string {
  if (title === undefined) return firstWords ?? '(no prompt)'
  return firstWords === undefined ? title : `${title} — ${firstWords}`
}
