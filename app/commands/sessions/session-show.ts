// Runs `rxpi sessions show`: prints the conversation up to the head or an entry, message by message.
import { concat, map, mergeMap, of, reduce, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { compactionText } from '../../text/compaction-text.ts'
import { formatAge } from '../../text/age.ts'
import { messageBody } from '../../text/message-body.ts'
import type { ShowInvocation } from '../../cli/invocation.ts'
import type { Output } from '../../process/output.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'

type Page = ResultOf<'get_entries'>
type Entry = Page['entries'][number]
type Summary = NonNullable<Page['summaries']>[number]

/**
 * Emits the exit code.
 * @param now Unix ms
 */
export function showSession(
  { target, entryId, json }: ShowInvocation,
  { client, stdout, stderr }: World,
  now = Date.now(),
): Observable<number> {
  const pages$ = (after: number): Observable<Page> =>
    client.request({ type: 'get_entries', ...target, after, branch: entryId ?? 'head', limit: 1_000 }).pipe(
      mergeMap((page) => {
        const last = page.entries.at(-1)?.seq
        return page.more && last !== undefined ? concat(of(page), pages$(last)) : of(page)
      }),
    )
  if (!json)
    return pages$(0).pipe(
      tap((page) => nodesOf(page).forEach((node) => writeNode(node, stdout, now))),
      reduce((count, { entries }) => count + entries.length, 0),
      map((count) => {
        if (count === 0) report(stderr, 'the conversation is empty: its head is before the first entry')
        return 0
      }),
    )
  return pages$(0).pipe(
    reduce(
      (all, { entries, summaries = [] }) => ({
        entries: [...all.entries, ...entries],
        summaries: [...all.summaries, ...summaries],
      }),
      { entries: [] as Entry[], summaries: [] as Summary[] },
    ),
    map(({ entries, summaries }) => {
      stdout.json(JSON.stringify({ ...target, entries, ...(summaries.length === 0 ? {} : { summaries }) }))
      return 0
    }),
  )
}

/** In the order of the log. */
function nodesOf({ entries, summaries = [] }: Page): (Entry | Summary)[] {
  return [...entries, ...summaries].sort((one, other) => one.seq - other.seq)
}

function writeNode(node: Entry | Summary, stdout: Output, now: number): void {
  if (!('event' in node)) {
    writeEntry(node, stdout, now)
    return
  }
  const { event, at } = node
  const what = event.type === 'compaction' ? compactionText(event) : 'summary of the branch that was left'
  stdout.dimmed(`── ${what} · ${formatAge(at, now)} · ${event.entryId}\n`)
  stdout.text(`${event.summary}\n\n`)
}

function writeEntry({ entryId, message }: Entry, stdout: Output, now: number): void {
  stdout.dimmed(`── ${speakerOf(message)} · ${formatAge(message.timestamp, now)} · ${entryId}\n`)
  const text = messageBody(message)
  stdout.text(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n`)
}

function speakerOf(message: Entry['message']): string {
  if (message.role === 'user') return 'you'
  if (message.role === 'assistant') return `${message.provider}/${message.model}`
  const { role }: { readonly role: string } = message // a host may store messages of other roles
  return role === 'toolResult' ? `${message.toolName}${message.isError ? ' failed' : ''}` : role
}
