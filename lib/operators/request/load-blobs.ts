// Loads content that the log stores beside its lines, when a request needs it.
import { concatMap, defer, endWith, from, ignoreElements, map, switchMap, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext } from '../../streams/ports/agent-context.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent, blobReferenceOf } from '../../streams/log/externalise-content.ts'
import type { OnMissingContent } from '../../streams/log/externalise-content.ts'
import { mapMessageParts } from '../../streams/events/map-parts.ts'
import type { LoadBlobs } from '../ports/run-ports.ts'
import type { Message } from '../../streams/messages/message.ts'

export interface LoadBlobsOptions {
  readonly blobs: Pick<Blobs, 'read'>
  /** Called each time that content cannot be read; a text that says so replaces it. */
  readonly onMissing: OnMissingContent
}

/**
 * Reads the content of one message at a time, with a pause before each, so that other sessions are served. The next
 * request may reuse it as long as it is in memory. The transform ends and fails with its source.
 */
export function loadBlobs({ blobs, onMissing }: LoadBlobsOptions): LoadBlobs {
  const known = new WeakMap<Message, WeakRef<Message>>()
  const load = (message: Message): Message => {
    const before = known.get(message)?.deref()
    if (before !== undefined) return before
    const next = mapMessageParts(message, loadContent(blobs, onMissing))
    known.set(message, new WeakRef(next))
    return next
  }
  const loaded$ = (context: AgentContext, indexes: readonly number[]): Observable<AgentContext> =>
    defer(() => {
      const messages = [...context.messages]
      return from(indexes).pipe(
        concatMap((index) => timer(0).pipe(map(() => index))),
        tap((index) => {
          const message = messages[index]
          if (message !== undefined) messages[index] = load(message)
        }),
        ignoreElements(),
        endWith({ ...context, messages }),
      )
    })
  return (messages) => {
    const indexes = indexesIn(messages)
    if (indexes.length === 0) return undefined
    return switchMap((context) => loaded$(context, indexes))
  }
}

/** The messages of a list that name content, as far as the list was scanned. */
interface Scan {
  readonly indexes: number[]
  count: number
  /** The last scanned message. */
  last: Message | undefined
}

/** By list. A session's list grows at its end, so no turn or run scans it again. */
const scans = new WeakMap<readonly Message[], Scan>()

/** Scans the messages that were added since the last call. */
function indexesIn(messages: readonly Message[]): readonly number[] {
  const known = scans.get(messages)
  const hasGrown = known !== undefined && known.count <= messages.length && messages[known.count - 1] === known.last
  const scan = hasGrown ? known : { indexes: [], count: 0, last: undefined }
  for (; scan.count < messages.length; scan.count += 1) {
    const message = messages[scan.count]
    if (message !== undefined && namesContent(message)) scan.indexes.push(scan.count)
    scan.last = message
  }
  scans.set(messages, scan)
  return [...scan.indexes]
}

function namesContent({ role, content }: Message): boolean {
  if ((role !== 'user' && role !== 'toolResult') || typeof content === 'string') return false
  for (const part of content) if (blobReferenceOf(part) !== undefined) return true
  return false
}
