// Requests one answer: context, transforms, provider with retries, fallbacks, one message.
import {
  concat,
  defer,
  identity,
  ignoreElements,
  mergeMap,
  of,
  takeLast,
  takeUntil,
  tap,
  throwIfEmpty,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext } from '../../streams/ports/agent-context.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Message, Usage } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Model } from '../../streams/models/model.ts'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { SummarySpending } from './summary-spending.ts'
import { assembleMessage } from './assemble-message.ts'
import type { Answer } from './assemble-message.ts'
import type { IdleTimes } from '../core/time-limits.ts'
import type { ModelChoice } from './model-choice.ts'
import { isModelSpecific } from './model-specific.ts'
import { retryRequest } from './retry-request.ts'
import { toolDefinitions } from '../tool-pipeline/normalise-schemas.ts'
import type { RequestSettings, RunIdle, RunPorts, MakeRoom, Overflow, RoomEvent } from '../ports/run-ports.ts'
import { untilDone } from './until-done.ts'
import { contextCharacters, growingCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'

export interface RequestAnswerOptions {
  readonly ports: RunPorts
  readonly stop: StopSwitch
  /** Of the answer before this one. */
  readonly usage: Usage | undefined
  /** Of the turn, from 0. */
  readonly turnIndex: number
  /** The run's choice of the model that the next request begins with. */
  readonly choice: ModelChoice
  /** Watches the summaries that make room. */
  readonly spending: SummarySpending
  /** Called before `message_end`; not at all if the run was stopped before anything was visible. */
  onAnswer(answer: Answer): void
}

/**
 * Makes one request and emits the events of its answer. While nothing is visible it retries, repeats the request once
 * after making room, and then asks the fallbacks. Completes when the message has ended, or without a message if the run
 * was stopped before anything was visible. Never fails: an error on the way ends the message as an error. The call
 * reads the settings: subscribe at once, and once.
 * @throws whatever `ports.onRequest` or `ports.settings` throws
 */
export function requestAnswer({ stop, choice, onAnswer, ...parts }: RequestAnswerOptions): Observable<AgentEvent> {
  const { ports } = parts
  const { conversation } = ports
  ports.onRequest?.()
  const candidates = choice.candidates(ports.settings())
  let [answering] = candidates
  const entryId = conversation.nextEntryId()
  const room = createRoomMaker(ports.makeRoom, parts.spending)
  const onFallback = (candidate: RequestSettings, failed: RequestSettings, failure: Failure): void => {
    answering = candidate
    choice.cool(failed, failure)
  }
  return choice.announce(requestFirst(candidates, { ...parts, room, onFallback })).pipe(
    takeUntil(stop.stop$),
    assembleMessage({
      entryId,
      get parentId() {
        return conversation.headEntryId
      },
      model: () => answering.model,
      isStopped: () => stop.reason !== undefined,
      onAnswer: (answer) => {
        if (answer.failure === undefined) choice.setAnswering(answering)
        conversation.append(entryId, answer.message)
        onAnswer(answer)
      },
    }),
  )
}

interface RequestParts extends Pick<RequestAnswerOptions, 'ports' | 'usage' | 'turnIndex'> {
  /** Of this answer. */
  readonly room: RoomMaker
  /** Called before the `model_fallback` event. */
  onFallback(candidate: RequestSettings, failed: RequestSettings, failure: Failure): void
}

type Candidates = readonly [RequestSettings, ...RequestSettings[]]

/** The answer of the first candidate, or of those after it, each to a request of its own. */
function requestFirst(candidates: Candidates, parts: RequestParts): Observable<AssistantDelta | AgentEvent> {
  const { ports } = parts
  const [settings] = candidates
  // deferred: an error on the way to the request must end the message, not the run
  return defer(() => {
    const context = createContext(settings, parts)
    // without transforms there is no operator between, which every delta would pay for
    const loadContent$ = ports.loadBlobs?.(context.messages)
    if (loadContent$ === undefined && ports.transformContext === undefined)
      return sendWithRetries(context, candidates, parts)
    return of(context).pipe(
      loadContent$ ?? identity,
      ports.transformContext ?? identity,
      takeLast(1),
      throwIfEmpty(missingContextFailure),
      mergeMap((transformed) => sendWithRetries(transformed, candidates, parts)),
    )
  })
}

function requestFallback(
  failure: Failure,
  [settings, next, ...behind]: Candidates,
  parts: RequestParts,
): Observable<AssistantDelta | AgentEvent> | undefined {
  if (next === undefined || !isModelSpecific(failure)) return undefined
  parts.onFallback(next, settings, failure)
  const event = fallbackEvent(failure, settings, next)
  // off the stack of the failure: any number of models may fail at once
  return concat(of(event), timer(0).pipe(ignoreElements()), requestFirst([next, ...behind], parts))
}

function fallbackEvent({ message, data }: Failure, from: RequestSettings, to: RequestSettings): AgentEvent {
  const names = { from: modelName(from.model), to: modelName(to.model) }
  return { type: 'model_fallback', attempt: 1, delayMs: 0, kind: data.kind ?? 'network', ...names, message }
}

function createContext(
  { system, tools, model }: RequestSettings,
  { ports, usage, turnIndex }: Pick<RequestParts, 'ports' | 'usage' | 'turnIndex'>,
): AgentContext {
  return {
    system,
    messages: messagesFor(ports),
    tools: toolDefinitions(tools, model),
    model,
    ...(usage === undefined ? {} : { usage }),
    sessionId: ports.tools.sessionId,
    ...(ports.runId === undefined ? {} : { runId: ports.runId }),
    turnIndex,
  }
}

function missingContextFailure(): Failure {
  return new Failure(
    'internal',
    'transformContext completed without a context; its last value is the context of the request',
  )
}

function messagesFor({ conversation, convertToLlm }: RunPorts): readonly Message[] {
  return convertToLlm === undefined ? conversation.modelMessages : convertToLlm(conversation.messages)
}

function sendWithRetries(
  context: AgentContext,
  candidates: Candidates,
  parts: RequestParts,
): Observable<AssistantDelta | AgentEvent> {
  const again$ = parts.room.beforeSending(context, () => requestFirst(candidates, parts))
  if (again$ !== undefined) return again$
  const { ports } = parts
  const { model, system, messages, tools } = context
  const [{ provider, thinkingLevel, outputSchema }] = candidates
  const { sessionId } = ports.tools
  const parameters = { model, system, messages, tools, thinkingLevel, sessionId }
  const request: ProviderRequest = outputSchema === undefined ? parameters : { ...parameters, outputSchema }
  const idle: IdleTimes = { ...idleFor(model, ports.idle), questionOpen$: ports.questionOpen$ }
  return retryRequest(
    () => defer(() => provider(request)).pipe(untilDone(idle)),
    { ...ports.retry, hasFallback: candidates.length > 1 },
    (failure) =>
      parts.room.afterFailure(failure, context, () => requestFirst(candidates, parts)) ??
      requestFallback(failure, candidates, parts),
  )
}

function idleFor({ local }: Model, { first, firstLocal = first, each }: RunIdle): IdleTimes {
  return { first: local === true ? firstLocal : first, each }
}

/**
 * Makes room at most once a request, and once more if an estimate changed nothing: a context that exceeds the model's
 * window is shortened, and the request is repeated.
 */
interface RoomMaker {
  /** If the context exceeds its model's window: makes room, then subscribes to `again`; else undefined. */
  beforeSending<Value>(context: AgentContext, again: () => Observable<Value>): Observable<Value | RoomEvent> | undefined
  /** The same if the provider's failure says so. */
  afterFailure<Value>(
    failure: Failure,
    context: AgentContext,
    again: () => Observable<Value>,
  ): Observable<Value | RoomEvent> | undefined
}

/** Without a port no room is made, and nothing is counted. */
function createRoomMaker(makeRoom: MakeRoom | undefined, { watch }: SummarySpending): RoomMaker {
  let isMade = false
  let isEstimated = false
  function makeRoomFirst<Value>(overflow: Overflow, again: () => Observable<Value>): Observable<Value | RoomEvent> {
    if (overflow.failure === undefined) isEstimated = true
    else isMade = true
    const made$ = defer(() => (makeRoom === undefined ? [] : makeRoom(overflow)))
    return concat(
      made$.pipe(
        watch,
        tap(() => (isMade = true)),
      ),
      defer(again),
    )
  }
  return {
    beforeSending: (context, again) => {
      const { model } = context
      if (makeRoom === undefined || isMade || isEstimated || model.contextWindow === undefined) return undefined
      if (mostTokens(context) <= model.contextWindow) return undefined
      const tokens = estimateTokens(context)
      return tokens > model.contextWindow ? makeRoomFirst({ model, tokens }, again) : undefined
    },
    afterFailure: (failure, context, again) => {
      if (makeRoom === undefined || isMade || failure.data.kind !== 'context_overflow') return undefined
      return makeRoomFirst({ model: context.model, failure, tokens: estimateTokens(context) }, again)
    },
  }
}

/** One token for each character, counted once for each message: no estimate is higher in practice. */
function mostTokens({ system, tools, messages }: AgentContext): number {
  return contextCharacters({ system, tools, messages: [] }) + growingCharacters(messages)
}

/** The whole context at the tokens a character of a message, known from the last answer's usage. */
function estimateTokens(context: AgentContext): number {
  const { system, tools, messages } = context
  const estimate = tokenEstimate(context)
  const rest = contextCharacters({ system, tools, messages: [] })
  const asMessage = estimate({ role: 'user', content: [{ type: 'text', text: '', bytes: rest }], timestamp: 0 })
  return messages.reduce((sum, message) => sum + estimate(message), asMessage)
}
