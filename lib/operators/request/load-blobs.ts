// A model is told the content itself: what a line only names is read when the request is built, and let go of afterwards.
import { concatMap, defer, endWith, from, ignoreElements, map, switchMap, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext } from '../../streams/ports/agent-context.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { loadContent, blobReferenceOf } from '../../streams/log/externalise-content.ts'
import type { OnMissingContent } from '../../streams/log/externalise-content.ts'
import { mapMessageParts } from '../../streams/events/map-parts.ts'
import type { BringBack } from '../ports/run-ports.ts'
import type { Message } from '../../streams/messages/message.ts'

export interface ContentBackOptions {
  readonly blobs: Pick<Blobs, 'read'>
  /** Told each time that content cannot be read; a text that says so is in its place. */
  readonly lost: OnMissingContent
}

/**
 * Reads one message's content at a time, with a pause before each, so that others are served. What was read may be used again
 * by the next request while memory lasts. The transform ends and fails with its source.
 */
export function bringContentBack({ blobs, lost }: ContentBackOptions): BringBack {
  const known = new WeakMap<Message, WeakRef<Message>>()
  const whole = (message: Message): Message => {
    const before = known.get(message)?.deref()
    if (before !== undefined) return before
    const next = mapMessageParts(message, loadContent(blobs, lost))
    known.set(message, new WeakRef(next))
    return next
  }
  const broughtBack$ = (context: AgentContext, places: readonly number[]): Observable<AgentContext> =>
    defer(() => {
      const messages = [...context.messages]
      return from(places).pipe(
        concatMap((place) => timer(0).pipe(map(() => place))),
        tap((place) => {
          const message = messages[place]
          if (message !== undefined) messages[place] = whole(message)
        }),
        ignoreElements(),
        endWith({ ...context, messages }),
      )
    })
  return (messages) => {
    const places = placesIn(messages)
    if (places.length === 0) return undefined
    return switchMap((context) => broughtBack$(context, places))
  }
}

/** Where a list's messages name content, as far as it was looked at. */
interface Looked {
  readonly places: number[]
  count: number
  /** The last one that was looked at. */
  last: Message | undefined
}

/** By the list: a session's own grows at its end, and neither a turn nor a run walks it again. */
const lookedAt = new WeakMap<readonly Message[], Looked>()

/** Looks at what has come to a list since it was asked for last. */
function placesIn(messages: readonly Message[]): readonly number[] {
  const known = lookedAt.get(messages)
  const goesOn = known !== undefined && known.count <= messages.length && messages[known.count - 1] === known.last
  const looked = goesOn ? known : { places: [], count: 0, last: undefined }
  for (; looked.count < messages.length; looked.count += 1) {
    const message = messages[looked.count]
    if (message !== undefined && namesContent(message)) looked.places.push(looked.count)
    looked.last = message
  }
  lookedAt.set(messages, looked)
  return [...looked.places]
}

function namesContent({ role, content }: Message): boolean {
  if ((role !== 'user' && role !== 'toolResult') || typeof content === 'string') return false
  for (const part of content) if (blobReferenceOf(part) !== undefined) return true
  return false
}
