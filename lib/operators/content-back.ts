// A model is told the content itself: what a line only names is read when the request is built, and let go of afterwards.
import { concatMap, defer, endWith, from, ignoreElements, map, switchMap, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext, ContextTransform } from '../streams/agent-context.ts'
import type { Blobs } from '../streams/blobs.ts'
import { contentBack, referenceOf } from '../streams/content-aside.ts'
import type { TellLost } from '../streams/content-aside.ts'
import { mapMessageParts } from '../streams/map-parts.ts'
import type { Message } from '../streams/message.ts'

export interface ContentBackOptions {
  readonly blobs: Pick<Blobs, 'read'>
  /** Told each time that content cannot be read; a text that says so is in its place. */
  readonly lost: TellLost
}

/** What brings back the content that these messages only name; undefined where they name none. */
export type BringBack = (messages: readonly Message[]) => ContextTransform | undefined

/**
 * Reads one message's content at a time, with a pause before each, so that others are served. What was read may be used again
 * by the next request while memory lasts. The transform ends and fails with its source.
 */
export function bringContentBack({ blobs, lost }: ContentBackOptions): BringBack {
  const known = new WeakMap<Message, WeakRef<Message>>()
  const whole = (message: Message): Message => {
    const before = known.get(message)?.deref()
    if (before !== undefined) return before
    const next = mapMessageParts(message, contentBack(blobs, lost))
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
    const places: number[] = []
    messages.forEach((message, place) => {
      if (namesContent(message)) places.push(place)
    })
    if (places.length === 0) return undefined
    return switchMap((context) => broughtBack$(context, places))
  }
}

function namesContent(message: Message): boolean {
  if (message.role !== 'user' && message.role !== 'toolResult') return false
  return typeof message.content !== 'string' && message.content.some((part) => referenceOf(part) !== undefined)
}
