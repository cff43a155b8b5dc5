// Summarises a conversation with a model, in one request without tools that quotes it.
import { catchError, concat, defer, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { retryRequest } from '../request/retry-request.ts'
import type { RequestSettings, RetryOptions } from '../ports/run-ports.ts'
import { untilDone } from '../request/until-done.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { StopReason } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Summariser, Summary, SummaryProgress } from '../../streams/ports/agent-context.ts'
import { summaryPrompt, summarySystem } from './summary-text.ts'

export interface ModelSummariserOptions {
  /** Called for each summary. */
  settings(): Pick<RequestSettings, 'model' | 'provider'>
  readonly retry?: RetryOptions
  readonly sessionId?: string
  /** The model's idle limit in milliseconds. */
  readonly idleMs: number
}

/** UTF-16 units between two values of progress. */
const progressStep = 256

/** UTF-16 units of a summary at most: a model that repeats itself without end must not fill the memory. */
const mostUnits = 1_048_576
/** A window that is unknown, or text of many tokens a character: a request that is too long is halved this often. */
const mostHalvings = 3

/**
 * Asks the model in a request of its own, with retries; a request that is too long is made again with half of the text. The
 * answer fails with `provider_error` if it is empty, calls a tool or is cut off. Unsubscribing cancels the request. Buffers
 * the summary, 1 Mi characters at most: more is a failure.
 */
export function modelSummariser({ settings, retry, sessionId, idleMs }: ModelSummariserOptions): Summariser {
  return (summaryRequest) => {
    const attempt$ = (halvings: number): Observable<Summary | SummaryProgress> =>
      defer(() => {
        const { model, provider } = settings()
        const room = { contextWindow: model.contextWindow, part: 1 / 2 ** halvings }
        const request = {
          model,
          system: summarySystem(summaryRequest),
          messages: [{ role: 'user', content: summaryPrompt(summaryRequest, room), timestamp: 0 } as const],
          tools: [],
          thinkingLevel: 'off' as const,
          ...(sessionId === undefined ? {} : { sessionId }),
        }
        const idle = { first: idleMs, each: idleMs }
        const delta$ = retryRequest(() => defer(() => provider(request)).pipe(untilDone(idle)), retry)
        return collectSummary(delta$, modelName(model))
      }).pipe(
        catchError((thrown: unknown) => {
          const failure = Failure.from(thrown, 'provider_error')
          const isTooLong = failure.data.kind === 'context_overflow' && halvings < mostHalvings
          return isTooLong ? attempt$(halvings + 1) : throwError(() => failure)
        }),
      )
    return attempt$(0)
  }
}

function collectSummary(
  delta$: Observable<AssistantDelta | { readonly type: string }>,
  model: string,
): Observable<Summary | SummaryProgress> {
  return defer(() => {
    let text = ''
    let reported = 0
    let summary: Summary | undefined
    const values$ = delta$.pipe(
      mergeMap((delta): (Summary | SummaryProgress)[] => {
        if (isDelta(delta, 'toolcall_start')) throw unusable('called a tool instead of writing a summary')
        if (isDelta(delta, 'text_delta')) text += delta.text
        if (text.length > mostUnits) throw unusable(`wrote more than ${mostUnits} characters instead of a summary`)
        if (isDelta(delta, 'done')) {
          requireStop(delta.stopReason)
          summary = { text: text.trim(), usage: delta.usage, model }
        }
        if (text.length - reported < progressStep) return []
        reported = text.length
        return [{ characters: reported }]
      }),
    )
    return concat(
      values$,
      defer(() => of(requireText(summary))),
    )
  })
}

function isDelta<Name extends AssistantDelta['type']>(
  delta: { readonly type: string },
  name: Name,
): delta is Extract<AssistantDelta, { type: Name }> {
  return delta.type === name
}

/** @throws Failure `provider_error` */
function requireStop(reason: StopReason): void {
  if (reason === 'length') throw unusable('did not finish the summary: it reached its output limit')
  if (reason !== 'stop') throw unusable(`ended the summary with stop reason ${reason}`)
}

/** @throws Failure `provider_error` */
function requireText(summary: Summary | undefined): Summary {
  if (summary !== undefined && summary.text !== '') return summary
  throw unusable('wrote no summary')
}

function unusable(what: string): Failure {
  return new Failure('provider_error', `The model ${what}; try again, or set another model`, {
    data: { kind: 'early_end' },
  })
}
