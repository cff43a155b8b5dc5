// Asks another model if a provider fails before its answer is visible.
import { Observable, defer, map } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Model } from '../../streams/models/model.ts'
import { pricedUsage } from '../../streams/models/price-usage.ts'
import type { ProviderModel, ProviderOperator, ProviderRequest } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'
import { loopWhile } from '../core/loop-while.ts'
import { operate } from '../core/operate.ts'
import { isModelSpecific } from '../request/model-specific.ts'

/**
 * If the provider fails before the first delta of a block, with a failure that another model may not have (its limits,
 * its key, the network, a stall, an early end), the request goes to the next of `others`, with its model. A `warning`
 * delta (`model_fallback`) says so. A request that is wrong, too long or refused fails at once.
 *
 * In a session prefer `fallbacks` beside `model`: the log then names the model that answers, each model has its
 * retries, and its prices count. Here the session files the answer under its own model. So an answer of another model
 * comes without signatures, which the first one would refuse later, and with a cost if `prices` of its model name one;
 * a cost of zero, or none, is replaced by the session's own prices.
 *
 * Buffers what comes before the first block (`start`, `usage`, `warning`), which is dropped if the request goes on.
 * Ends with the answer of the model that answers, or fails with the last failure; on unsubscribe the open request is
 * unsubscribed.
 */
export function fallbackTo(...others: readonly [ProviderModel, ...ProviderModel[]]): ProviderOperator {
  return (provider) => (request) =>
    defer(() => {
      const left = [{ model: request.model, provider }, ...others]
      let failure: Failure | undefined
      let from = request.model
      const attempt$ = ({ model, provider: ask }: ProviderModel): Observable<AssistantDelta> => {
        const notice = failure === undefined ? [] : [fallbackWarning(failure, modelName(from), modelName(model))]
        from = model
        failure = undefined
        return new Observable((subscriber) => {
          for (const delta of notice) subscriber.next(delta)
          const sent = model === request.model ? request : requestOf(request, model)
          const answer$ = isSameModel(model, request.model) ? defer(() => ask(sent)) : answerOf(ask, sent)
          answer$.subscribe(
            untilVisible(subscriber, (thrown) => {
              const found = Failure.from(thrown, 'provider_error')
              if (left.length === 0 || !isModelSpecific(found)) return false
              failure = found
              return true
            }),
          )
        })
      }
      let isFirst = true
      return loopWhile<AssistantDelta>(() => {
        const next = isFirst || failure !== undefined ? left.shift() : undefined
        isFirst = false
        return next === undefined ? undefined : attempt$(next)
      })
    })
}

function requestOf(request: ProviderRequest, model: ProviderRequest['model']): ProviderRequest {
  return { ...request, model }
}

/** True for another endpoint or key of the model too. */
function isSameModel(one: Model, other: Model): boolean {
  return one.api === other.api && one.provider === other.provider && one.id === other.id
}

/** The answer of another model: priced by it, without its signatures. */
function answerOf(ask: ProviderModel['provider'], request: ProviderRequest): Observable<AssistantDelta> {
  return defer(() => ask(request)).pipe(
    map((delta): AssistantDelta => {
      switch (delta.type) {
        case 'text_end':
        case 'thinking_end':
        case 'toolcall_end': {
          const { signature, ...unsigned } = delta
          return signature === undefined ? delta : unsigned
        }
        case 'usage':
        case 'done':
          return { ...delta, usage: pricedUsage(delta.usage, request.model.prices) }
        default:
          return delta
      }
    }),
  )
}

/** Holds the deltas back until one is visible; until then `takesOver` may take a failure, and the attempt completes. */
function untilVisible(
  destination: Subscriber<AssistantDelta>,
  takesOver: (thrown: unknown) => boolean,
): Subscriber<AssistantDelta> {
  let held: AssistantDelta[] | undefined = []
  const release = (): void => {
    const deltas = held ?? []
    held = undefined
    for (const delta of deltas) destination.next(delta)
  }
  return operate<AssistantDelta, AssistantDelta>({
    destination,
    next: (delta) => {
      if (held === undefined) {
        destination.next(delta)
        return
      }
      held.push(delta)
      if (!isPreliminary(delta)) release()
    },
    error: (thrown) => {
      if (held !== undefined && takesOver(thrown)) {
        destination.complete()
        return
      }
      release()
      destination.error(thrown)
    },
    complete: () => {
      if (held !== undefined && takesOver(earlyEnd())) {
        destination.complete()
        return
      }
      release()
      destination.complete()
    },
  })
}

function isPreliminary({ type }: AssistantDelta): boolean {
  return type === 'start' || type === 'usage' || type === 'warning'
}

function earlyEnd(): Failure {
  return new Failure('provider_error', 'The answer ended before it began', { data: { kind: 'early_end' } })
}

function fallbackWarning({ message, data }: Failure, from: string, to: string): AssistantDelta {
  return {
    type: 'warning',
    code: 'model_fallback',
    message: `${from} failed, so ${to} answers: ${message}`,
    context: { from, to, kind: data.kind ?? 'network' },
    recoverable: true,
  }
}
