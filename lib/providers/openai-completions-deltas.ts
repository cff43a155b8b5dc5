// An answer ends where its last word was said, not where the body ends: a body that lingers is left, one that stops short is a failure.
import { Observable, timer } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AssistantDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import type { Model } from '../streams/model.ts'
import { openAiCompletionsReader } from './openai-completions-reader.ts'
import type { AnswerProgress } from './openai-completions-reader.ts'
import { thrownFailure, toldFailure, withoutSecrets } from './provider-failure.ts'
import type { AnswerContext } from './provider-failure.ts'
import type { SseEvent } from './sse.ts'

/**
 * How long a body may go on after its last word, in milliseconds: a proper end follows at once and leaves the connection
 * usable for the next request. Without the usage, that is waited for.
 */
const linger: Readonly<Record<Exclude<AnswerProgress, 'open'>, number>> = { complete: 25, finished: 2000 }

/**
 * Turns the events of a chat completion into deltas, each synchronously with its event. Completes after `done`; by then the
 * body has ended or is being left. Fails with a Failure `provider_error`, its usage told before where it is known: an end
 * without finish reason and `[DONE]` is `early_end`, a frame that is no JSON is `network`, an error frame what it says.
 */
export function openAiCompletionsDeltas(
  model: Model,
  context: AnswerContext,
): OperatorFunction<SseEvent, AssistantDelta> {
  return (event$) =>
    new Observable((subscriber) => {
      const reader = openAiCompletionsReader({ model, context }, (delta) => {
        subscriber.next(delta)
      })
      let lingering: { progress: AnswerProgress; timer: Subscription } | undefined

      const fail = (error: unknown): void => {
        reader.tellUsage()
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
      const limitLinger = (progress: AnswerProgress): void => {
        if (subscriber.closed || progress === 'open' || progress === lingering?.progress) return
        lingering?.timer.unsubscribe()
        lingering = { progress, timer: timer(linger[progress]).subscribe(end) }
      }

      subscriber.add(() => lingering?.timer.unsubscribe())
      return event$.subscribe({
        next: (event) => {
          try {
            if (event.data === '[DONE]') reader.done()
            else readEvent(event, context, reader.read)
          } catch (error) {
            fail(error)
            return
          }
          limitLinger(reader.progress)
        },
        error: (error: unknown) => {
          if (reader.progress === 'open') fail(error)
          else end()
        },
        complete: end,
      })
    })
}

function readEvent({ data, event, unclosed }: SseEvent, context: AnswerContext, read: (chunk: unknown) => void): void {
  if (data === '') return
  let chunk: unknown
  try {
    chunk = JSON.parse(data)
  } catch {
    if (unclosed === true) return // the body was cut in the middle of it: an early end, told as such
    if (event === 'error') throw toldFailure({ message: data }, context)
    throw garbage(data, context)
  }
  read(chunk)
}

function garbage(data: string, { provider, secrets }: AnswerContext): Failure {
  const start = JSON.stringify(withoutSecrets(data, secrets).slice(0, 80))
  const message = `${provider} sent a frame that is no JSON, beginning with ${start}; the stream was damaged on the way.`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}
