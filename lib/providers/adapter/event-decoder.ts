// Decodes the server-sent events of a response to deltas with an API's decoder.
import { Observable, timer } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { thrownFailure, providerFailure, withoutSecrets } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

/** Creates the decoder of one response. It may call `emit` within `read` and `end` only. */
export type MakeDecoder = (emit: (delta: AssistantDelta) => void) => EventDecoder

/** The event data with which some APIs end a response. It goes to the decoder as it is. */
export const endMark = '[DONE]'

/**
 * Decodes each event synchronously. Completes after `done`; the body has ended by then, or is cancelled. Fails with a
 * Failure `provider_error`, after the usage if it is known: `early_end` if the body ends before the response is
 * complete, `network` for a frame that is no JSON, and the provider's own error for an error frame.
 */
export function decodeEvents(
  makeDecoder: MakeDecoder,
  context: ResponseContext,
): OperatorFunction<SseEvent, AssistantDelta> {
  return (event$) =>
    new Observable((subscriber) => {
      const decoder = makeDecoder((delta) => {
        subscriber.next(delta)
      })
      let lingering: { ms: number; timer: Subscription } | undefined

      const fail = (error: unknown): void => {
        decoder.emitUsage()
        subscriber.error(thrownFailure(error, context))
      }
      const end = (): void => {
        try {
          decoder.end()
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
            readEvent(event, context, decoder)
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

function readEvent({ data, event, unclosed }: SseEvent, context: ResponseContext, decoder: EventDecoder): void {
  if (data === '') return
  if (data === endMark) {
    decoder.read(endMark, event)
    return
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(data)
  } catch {
    if (unclosed === true) return // the body was cut within the event: `end` reports the early end
    if (event === 'error') throw providerFailure({ message: data }, context)
    throw invalidFrame(data, context)
  }
  decoder.read(parsed, event)
}

function invalidFrame(data: string, { provider, secrets }: ResponseContext): Failure {
  const start = JSON.stringify(withoutSecrets(data, secrets).slice(0, 80))
  const message = `${provider} sent a frame that is no JSON, beginning with ${start}; the stream was damaged on the way.`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}

// The decoder of one response of one API.

export interface EventDecoder {
  /**
   * Undefined while the response is incomplete: a body that ends then ended early. Otherwise the milliseconds that the
   * body may go on. A proper end follows at once, and leaves the connection usable for the next request.
   */
  readonly lingerMs: number | undefined
  /**
   * Decodes one parsed event; `name` is its `event:` field.
   * @throws Failure for an error of the provider, and for an event of no known form
   */
  read(event: unknown, name?: string): void
  /** Closes the blocks and emits `done`. @throws Failure if the response ended early or was refused */
  end(): void
  /** Emits the usage so far, so that a failed response is billed too. */
  emitUsage(): void
}
