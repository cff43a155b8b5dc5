// Makes a request of an extension or an MCP server to a model; its usage counts for the session.
import { EMPTY, concatMap, defer, filter, finalize, map, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CompletionRequest } from '../../extensions/api/completion-request.ts'
import { assembleMessage } from '../../operators/request/assemble-message.ts'
import { retryRequest } from '../../operators/request/retry-request.ts'
import { untilDone } from '../../operators/request/until-done.ts'
import { defaultIdleMs, defaultLocalFirstMs } from '../contract/idle-defaults.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import { pricedUsage } from '../../streams/models/price-usage.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { SessionParts } from '../contract/session-parts.ts'

interface CompletionParts {
  readonly core: {
    readonly parts: Pick<SessionParts, 'options' | 'resolveModel'>
    readonly settings: { current(): ProviderModel }
  }
  readonly sessionId: string
  /** Of the event that counts the usage. Default: `extension`. */
  readonly reason?: string
  publish(event: AgentEvent): void
}

/**
 * Emits the answer once: one that failed has the stop reason `error`. Fails with a Failure if the model cannot be found.
 * Unsubscribing cancels the request.
 */
export function completeWithModel(
  { core, sessionId, reason = 'extension', publish }: CompletionParts,
  { model: name, system = '', messages, maxTokens, thinkingLevel = 'off' }: CompletionRequest,
): Observable<AssistantMessage> {
  const { resolveModel, options } = core.parts
  const found$ = defer(() =>
    name === undefined || resolveModel === undefined ? [core.settings.current()] : resolveModel(name),
  )
  return found$.pipe(
    take(1),
    concatMap(({ model, provider }: ProviderModel) => {
      const limit = maxTokens === undefined ? {} : { maxTokens }
      const request = { model, system, messages, tools: [], thinkingLevel, sessionId, ...limit }
      const first = options.limits?.idleMs ?? (model.local === true ? defaultLocalFirstMs : defaultIdleMs)
      let answer: AssistantMessage | undefined
      return retryRequest(
        () => defer(() => provider(request)).pipe(untilDone({ first, each: first })),
        options.retry,
      ).pipe(
        assembleMessage({
          entryId: '',
          parentId: null,
          model: () => model,
          isStopped: () => false,
          onAnswer: ({ message }) => (answer = message),
        }),
        filter(({ type }) => type === 'message_end'),
        concatMap(() => (answer === undefined ? EMPTY : [answer])),
        map((message) => ({ ...message, usage: pricedUsage(message.usage, model.prices) })),
        finalize(() => {
          const { usage } = answer ?? {}
          if (usage !== undefined && usage.totalTokens > 0)
            publish({ type: 'summary_usage', reason, usage: pricedUsage(usage, model.prices) })
        }),
      )
    }),
  )
}
