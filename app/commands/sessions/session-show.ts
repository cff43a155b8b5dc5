// Runs `rxpi sessions show`: prints the conversation up to the head or an entry, message by message.
import { concat, map, mergeMap, of, reduce, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { AssistantContent, UserContent } from '../../../lib/streams/messages/message.ts'
import { messageText, typedText } from '../../../lib/streams/messages/message-text.ts'
import { formatAge } from '../../text/age.ts'
import type { ShowInvocation } from '../../cli/invocation.ts'
import type { Output } from '../../process/output.ts'
import { report } from '../../process/progress.ts'
import type { World } from '../../process/world.ts'

type Page = ResultOf<'get_entries'>
type Entry = Page['entries'][number]

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
      tap(({ entries }) => entries.forEach((entry) => writeEntry(entry, stdout, now))),
      reduce((count, { entries }) => count + entries.length, 0),
      map((count) => {
        if (count === 0) report(stderr, 'the conversation is empty: its head is before the first entry')
        return 0
      }),
    )
  return pages$(0).pipe(
    reduce((all, { entries }) => [...all, ...entries], [] as Entry[]),
    map((entries) => {
      stdout.json(JSON.stringify({ ...target, entries }))
      return 0
    }),
  )
}

function writeEntry({ entryId, message }: Entry, stdout: Output, now: number): void {
  stdout.dimmed(`── ${speakerOf(message)} · ${formatAge(message.timestamp, now)} · ${entryId}\n`)
  const text = bodyOf(message)
  stdout.text(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n`)
}

function speakerOf(message: Entry['message']): string {
  if (message.role === 'user') return 'you'
  if (message.role === 'assistant') return `${message.provider}/${message.model}`
  const { role }: { readonly role: string } = message // a host may store messages of other roles
  return role === 'toolResult' ? `${message.toolName}${message.isError ? ' failed' : ''}` : role
}

function bodyOf(message: Entry['message']): string {
  const { content } = message
  if (message.role === 'user' && message.invocation !== undefined) return typedText(message.invocation)
  if (typeof content === 'string') return content
  if (!hasBlocks(message)) return messageText(message) || JSON.stringify(message)
  const error = message.role === 'assistant' && message.errorMessage !== undefined ? [`[${message.errorMessage}]`] : []
  return [...content.map(blockText), ...error].filter((text) => text !== '').join('\n')
}

/** False for a message of a host or of pi without content blocks. */
function hasBlocks({ content }: { readonly content?: unknown }): boolean {
  return Array.isArray(content)
}

function blockText(block: UserContent | AssistantContent): string {
  switch (block.type) {
    case 'text':
      return block.blob === undefined ? block.text : `${block.text}\n[the beginning of ${block.bytes ?? 0} bytes]`
    case 'image':
      return `[image: ${block.mimeType}]`
    case 'thinking':
      return block.thinking === '' ? '' : `[thinking] ${block.thinking}`
    case 'toolCall':
      return `→ ${block.name} ${JSON.stringify(block.arguments)}`
  }
}
