// An answer ends where its last word was said, not where the body ends: a body that lingers is left, one that stops short is a failure.
import { Observable, timer } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { thrownFailure, providerFailure, withoutSecrets } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

/** Makes the reader of one answer; `emit` may be called within `read` and `end` only. */
export type MakeDecoder = (emit: (delta: AssistantDelta) => void) => EventDecoder

/** How some wires say that nothing follows; it is given to the reader as it is. */
export const endMark = '[DONE]'

/**
 * Turns the events of one answer into deltas, each synchronously with its event. Completes after `done`; by then the
 * body has ended or is being left. Fails with a Failure `provider_error`, its usage told before where it is known: an end
 * before the reader has all is `early_end`, a frame that is no JSON is `network`, an error frame what it says.
 */
export function decodeEvents(
  makeDecoder: MakeDecoder,
  context: ResponseContext,
): OperatorFunction<SseEvent, AssistantDelta> {
  return (event$) =>
    new Observable((subscriber) => {
      const reader = makeDecoder((delta) => {
        subscriber.next(delta)
      })
      let lingering: { ms: number; timer: Subscription } | undefined

      const fail = (error: unknown): void => {
        reader.emitUsage()
        subscriber.error(thrownFailure(error, context))
      }
      const end = (): void => {
        try {
          reader.end()
        } catch (error) {
          fail(error)
          return
        }
        subscriber.complete()
      }
      const limitLinger = (ms: number | undefined): void => {
        if (subscriber.closed || ms === undefined || ms === lingering?.ms) return
        lingering?.timer.unsubscribe()
        lingering = { ms, timer: timer(ms).subscribe(end) }
      }

      subscriber.add(() => lingering?.timer.unsubscribe())
      return event$.subscribe({
        next: (event) => {
          try {
            readEvent(event, context, reader)
          } catch (error) {
            fail(error)
            return
          }
          limitLinger(reader.lingerMs)
        },
        error: (error: unknown) => {
          if (reader.lingerMs === undefined) fail(error)
          else end()
        },
        complete: end,
      })
    })
}

function readEvent({ data, event, unclosed }: SseEvent, context: ResponseContext, reader: EventDecoder): void {
  if (data === '') return
  if (data === endMark) {
    reader.read(endMark, event)
    return
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(data)
  } catch {
    if (unclosed === true) return // the body was cut in the middle of it: an early end, told as such
    if (event === 'error') throw providerFailure({ message: data }, context)
    throw garbage(data, context)
  }
  reader.read(parsed, event)
}

function garbage(data: string, { provider, secrets }: ResponseContext): Failure {
  const start = JSON.stringify(withoutSecrets(data, secrets).slice(0, 80))
  const message = `${provider} sent a frame that is no JSON, beginning with ${start}; the stream was damaged on the way.`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}

// What reads one wire's events: it emits deltas as they come and says at every moment whether the answer is whole.

export interface EventDecoder {
  /**
   * Undefined: the answer is not whole, and a body that ends now ended early. Otherwise how long the body may go on, in
   * milliseconds: a proper end follows at once and leaves the connection usable for the next request.
   */
  readonly lingerMs: number | undefined
  /** One parsed event and, where the wire names it, its name. @throws Failure for an error that the provider tells, and for what is no event */
  read(event: unknown, name?: string): void
  /** Closes the blocks and emits `done`. @throws Failure where the answer ended early or was refused */
  end(): void
  /** Emits the usage that is known, so that what failed is billed all the same. */
  emitUsage(): void
}
