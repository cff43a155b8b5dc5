// Reports each request to a provider and how it ended.
import { Observable, asyncScheduler, defer } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderOperator, ProviderRequest } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { operate } from '../core/operate.ts'

interface LoggedRequest {
  /** Counts the requests of this provider from 1. */
  readonly number: number
  /** `provider/id`. */
  readonly model: string
}

interface LoggedEnd extends LoggedRequest {
  /** Milliseconds since the request. */
  readonly ms: number
  /** Milliseconds from the request to the first delta of a block. Absent: there was none. */
  readonly firstMs?: number
}

/** One line about a request; it holds no text of the conversation but that of a failure. */
export type RequestLog =
  | (LoggedRequest & {
      readonly type: 'request'
      readonly messages: number
      readonly tools: number
      readonly sessionId?: string
    })
  | (LoggedEnd & { readonly type: 'done'; readonly stopReason: StopReason; readonly usage: Usage })
  | (LoggedEnd & { readonly type: 'failed'; readonly failure: Failure })
  | (LoggedEnd & { readonly type: 'cancelled' })

/**
 * Calls `log` when a request is subscribed, and once more when it is `done`, has `failed` (also by ending without
 * `done`) or was `cancelled` by unsubscribing. The deltas pass unchanged.
 *
 * Ends and fails as the provider does, or with a throw of `log`. Buffers nothing; on unsubscribe the request is
 * unsubscribed.
 */
export function logRequests(log: (entry: RequestLog) => void): ProviderOperator {
  return (provider) => {
    let count = 0
    return (request) =>
      new Observable((subscriber) => {
        const entry: LoggedRequest = { number: ++count, model: modelName(request.model) }
        const watch = watchAnswer(entry, log)
        log({ type: 'request', ...entry, ...requestFields(request) })
        subscriber.add(watch.onGone)
        defer(() => provider(request)).subscribe(
          operate<AssistantDelta, AssistantDelta>({
            destination: subscriber,
            next: (delta) => {
              watch.onDelta(delta)
              subscriber.next(delta)
            },
            error: (thrown) => {
              watch.onFailure(Failure.from(thrown, 'provider_error'))
              subscriber.error(thrown)
            },
            complete: () => {
              watch.onFailure(earlyEnd())
              subscriber.complete()
            },
          }),
        )
      })
  }
}

function requestFields({ messages, tools, sessionId }: ProviderRequest) {
  return { messages: messages.length, tools: tools.length, ...(sessionId === undefined ? {} : { sessionId }) }
}

/** Reports one end: whatever comes after the first is not reported. */
function watchAnswer(entry: LoggedRequest, log: (entry: RequestLog) => void) {
  const startedAt = asyncScheduler.now()
  let firstMs: number | undefined
  let hasEnded = false
  const elapsed = (): number => Math.max(0, asyncScheduler.now() - startedAt) // the clock may be set back
  const end = (): LoggedEnd | undefined => {
    if (hasEnded) return undefined
    hasEnded = true
    return { ...entry, ms: elapsed(), ...(firstMs === undefined ? {} : { firstMs }) }
  }
  return {
    onDelta: (delta: AssistantDelta): void => {
      if ('contentIndex' in delta) firstMs ??= elapsed()
      if (delta.type !== 'done') return
      const ended = end()
      if (ended !== undefined) log({ type: 'done', ...ended, stopReason: delta.stopReason, usage: delta.usage })
    },
    onFailure: (failure: Failure): void => {
      const ended = end()
      if (ended !== undefined) log({ type: 'failed', ...ended, failure })
    },
    onGone: (): void => {
      const ended = end()
      if (ended !== undefined) log({ type: 'cancelled', ...ended })
    },
  }
}

function earlyEnd(): Failure {
  return new Failure('provider_error', 'The answer ended without done', { data: { kind: 'early_end' } })
}
