// Decodes the server-sent events of a response to deltas with an API's decoder.
//
// Guarantees: after the terminal event only usage counts, and a frame of no known form ends nothing
// (docs/design/security.md#S28).
import { Observable, timer } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { createFrameReader } from './frame-reader.ts'
import type { EventDecoder } from './frame-reader.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

/** Creates the decoder of one response. It may call `emit` within `read` and `end` only. */
export type MakeDecoder = (emit: (delta: AssistantDelta) => void) => EventDecoder

/**
 * Decodes each event synchronously. Completes after `done`; the body has ended by then, or is cancelled. Fails with a
 * Failure `provider_error`, after the usage if it is known: `early_end` if the body ends before the response is
 * complete, `network` for a broken frame of the API, and the provider's own error for an error frame. Skips frames that
 * are not the API's; a warning with their number comes before the end.
 */
export function decodeEvents(
  makeDecoder: MakeDecoder,
  context: ResponseContext,
): OperatorFunction<SseEvent, AssistantDelta> {
  return (event$) =>
    new Observable((subscriber) => {
      const emit = (delta: AssistantDelta): void => {
        subscriber.next(delta)
      }
      const decoder = makeDecoder(emit)
      const frames = createFrameReader(decoder, context)
      let lingering: { ms: number; timer: Subscription } | undefined

      const fail = (error: unknown): void => {
        frames.reportForeign(emit)
        decoder.emitUsage()
        subscriber.error(thrownFailure(error, context))
      }
      const end = (): void => {
        try {
          frames.end(emit)
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
            frames.read(event)
          } catch (error) {
            fail(error)
            return
          }
          limitLinger(decoder.lingerMs)
        },
        error: (error: unknown) => {
          if (decoder.lingerMs === undefined) fail(error)
          else end()
        },
        complete: end,
      })
    })
}
