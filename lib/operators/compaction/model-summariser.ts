// Summarises a conversation with a model, in one request without tools that quotes it.
import { catchError, concat, defer, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { retryRequest } from '../request/retry-request.ts'
import type { RequestSettings, RetryOptions } from '../ports/run-ports.ts'
import { isModelSpecific } from '../request/model-specific.ts'
import { untilDone } from '../request/until-done.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { addUsage } from '../../streams/messages/message.ts'
import type { StopReason, Usage } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Model, ThinkingLevel } from '../../streams/models/model.ts'
import { pricedUsage } from '../../streams/models/price-usage.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Summariser, Summary, SummaryProgress } from '../../streams/ports/agent-context.ts'
import { summaryPrompt, summarySystem } from './summary-text.ts'

export interface ModelSummariserOptions {
  /**
   * Called for each request. For a model of the role `summary` its thinking level counts, and its fallbacks are asked in
   * turn, as those of a run are.
   */
  settings(): SummariserModel
  readonly retry?: RetryOptions
  readonly sessionId?: string
  /** The model's idle limit in milliseconds. */
  readonly idleMs: number
}

export interface SummariserModel extends Pick<RequestSettings, 'model' | 'provider' | 'fallbacks' | 'role'> {
  readonly thinkingLevel?: ThinkingLevel
}

/** UTF-16 units between two values of progress. */
const progressStep = 256

/** UTF-16 units of a summary at most: a model that repeats itself without end must not fill the memory. */
const mostUnits = 1_048_576
/** A window that is unknown, or text of many tokens a character: a request that is too long is halved this often. */
const mostHalvings = 3

/**
 * Asks the model in a request of its own, with retries; a request that is too long is made again with half of the text.
 * The answer fails with `provider_error` if it is empty, calls a tool or is cut off. Unsubscribing cancels the request.
 * Buffers the summary, 1 Mi characters at most: more is a failure.
 */
export function modelSummariser({ settings, retry, sessionId, idleMs }: ModelSummariserOptions): Summariser {
  return (summaryRequest) =>
    defer(() => {
      const meter = requestMeter()
      const attempt$ = (halvings: number, at: number): Observable<Summary | SummaryProgress> =>
        defer(() => {
          const current = settings()
          const { model, provider, thinkingLevel } = candidateOf(current, at)
          const room = { contextWindow: model.contextWindow, part: 1 / 2 ** halvings }
          const request = {
            model,
            system: summarySystem(summaryRequest),
            messages: [{ role: 'user', content: summaryPrompt(summaryRequest, room), timestamp: 0 } as const],
            tools: [],
            thinkingLevel,
            ...(sessionId === undefined ? {} : { sessionId }),
          }
          const idle = { first: idleMs, each: idleMs }
          const retries = { ...retry, hasFallback: candidatesOf(current).length > at + 1 }
          const delta$ = retryRequest(() => defer(() => provider(request)).pipe(untilDone(idle)), retries)
          return collectSummary(delta$, model, meter)
        }).pipe(
          catchError((thrown: unknown) => {
            const failure = Failure.from(thrown, 'provider_error')
            const isTooLong = failure.data.kind === 'context_overflow' && halvings < mostHalvings
            if (isTooLong) return attempt$(halvings + 1, at)
            const hasNext = isModelSpecific(failure) && candidatesOf(settings()).length > at + 1
            return hasNext ? attempt$(halvings, at + 1) : throwError(() => failure)
          }),
        )
      return attempt$(0, 0)
    })
}

interface Candidate extends Pick<RequestSettings, 'model' | 'provider'> {
  readonly thinkingLevel: ThinkingLevel
}

function candidateOf(settings: SummariserModel, at: number): Candidate {
  const candidates = candidatesOf(settings)
  return candidates[at] ?? candidates[0]
}

/** The models to ask in turn. The settings of a session name none but its own, and its level is for answers. */
function candidatesOf(settings: SummariserModel): readonly [Candidate, ...Candidate[]] {
  const { model, provider, fallbacks = [], role, thinkingLevel = 'off' } = settings
  if (role !== 'summary') return [{ model, provider, thinkingLevel: 'off' }]
  return [{ model, provider, thinkingLevel }, ...fallbacks.map((each): Candidate => ({ ...each, thinkingLevel }))]
}

/** Usage of all requests for one summary; a failed one counts too. */
interface RequestMeter {
  /** The usage so far, with the last report of the request that is on. */
  report(usage: Usage): Usage
  /** Another request begins. */
  next(): void
}

function requestMeter(): RequestMeter {
  let earlier: Usage | undefined
  let current: Usage | undefined
  return {
    report: (usage) => {
      current = usage
      return earlier === undefined ? usage : addUsage(earlier, usage)
    },
    next: () => {
      if (current !== undefined) earlier = earlier === undefined ? current : addUsage(earlier, current)
      current = undefined
    },
  }
}

/** Emits the usage as progress before anything can fail: it counts for the session in any case. */
function collectSummary(
  delta$: Observable<AssistantDelta | { readonly type: string }>,
  model: Model,
  meter: RequestMeter,
): Observable<Summary | SummaryProgress> {
  return defer(() => {
    let text = ''
    let reported = 0
    let done: Extract<AssistantDelta, { type: 'done' }> | undefined
    let used: Usage | undefined
    meter.next()
    const progress = (): SummaryProgress => {
      reported = text.length
      return { characters: reported, ...(used && { usage: used }) }
    }
    const values$ = delta$.pipe(
      mergeMap((delta): SummaryProgress[] => {
        if (delta.type === 'auto_retry') meter.next()
        if (isDelta(delta, 'done')) done = delta
        if (isDelta(delta, 'done') || isDelta(delta, 'usage')) {
          used = meter.report(pricedUsage(delta.usage, model.prices))
          const isWhole = done?.stopReason === 'stop' && text.trim() !== '' // the summary has its usage
          return isWhole ? [] : [progress()]
        }
        if (isDelta(delta, 'toolcall_start')) throw unusable('called a tool instead of writing a summary')
        if (isDelta(delta, 'text_delta')) text += delta.text
        if (text.length > mostUnits) throw unusable(`wrote more than ${mostUnits} characters instead of a summary`)
        return text.length - reported < progressStep ? [] : [progress()]
      }),
    )
    return concat(
      values$,
      defer(() => {
        if (done !== undefined) requireStop(done.stopReason)
        if (done === undefined || text.trim() === '') throw unusable('wrote no summary')
        return of({ text: text.trim(), ...(used && { usage: used }), model: modelName(model) })
      }),
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

function unusable(what: string): Failure {
  return new Failure('provider_error', `The model ${what}; try again, or set another model`, {
    data: { kind: 'early_end' },
  })
}
