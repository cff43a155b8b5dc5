// The ports of one request: reading content back, making room, trying again.
import type { Observable } from 'rxjs'
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Failure } from '../../streams/values/failure.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'

/** What brings back the content that these messages only name; undefined where they name none. */
export type BringBack = (messages: readonly Message[]) => ContextTransform | undefined

/** Why room is to be made. */
export interface Overflow {
  /** Whose window it is. */
  readonly model: Model
  /** What the provider said; absent: the request was counted before it was sent. */
  readonly failure?: Failure
  /** About how long the request is, in tokens: system prompt, tools and messages. */
  readonly tokens: number
}

/**
 * Shortens what the next request is made of, tells so, and completes: the request is made again then, once, with all
 * transforms. Its failure ends the message as an error. Unsubscribing gives up.
 */
export type MakeRoom = (overflow: Overflow) => Observable<EventNamed<'compaction'> | EventNamed<'warning'>>

export interface RetryOptions {
  /** Attempts in all. Default 3. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; doubled for each further one. Default 1,000. */
  readonly baseDelayMs?: number
  /** The longest wait, 2³¹−1 at most; a provider that asks for more ends the attempts. Default 60,000. */
  readonly maxDelayMs?: number
  /** A number in [0, 1) that spreads the waits. Default: `Math.random`. */
  readonly jitter?: () => number
}
