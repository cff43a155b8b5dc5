// Turns the deltas of one request into the events of one assistant message.
// Guarantees: each message that starts ends exactly once, and the stream never fails.
import { Observable, asyncScheduler } from 'rxjs'
import type { OperatorFunction, Subscriber } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantMessage, StopReason, ToolCall } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { impossibleUsageCode } from '../../streams/models/price-usage.ts'
import { checkAssistantDelta } from '../../streams/validation/validators.ts'
import { earlyEndFailure } from './until-done.ts'
import { createMessageBuilder } from './message-builder.ts'
import type { MessageBuilder } from './message-builder.ts'
import { operate } from '../core/operate.ts'
import type { OperateConfig } from '../core/operate.ts'

/** The result of one request. */
export interface Answer {
  readonly entryId: string
  readonly message: AssistantMessage
  /** The failure of a message that ended in `error`. */
  readonly failure?: Failure
  /** Why a call of the message may not run; undefined if it may. */
  refusalOf?(call: ToolCall): string | undefined
}

export interface AssembleOptions {
  readonly entryId: string
  /** Read when the message starts. */
  readonly parentId: string | null
  /**
   * The answering model. Called at the beginning and at each event of the request, after which the message begins anew.
   */
  model(): Model
  /** Called if the source completes without `done`. True: the run was stopped, and the message is `aborted`. */
  isStopped(): boolean
  /** Called before `message_end` is emitted: state first. */
  onAnswer(answer: Answer): void
}

/**
 * Turns one request's deltas into `message_start` (with the first block delta, or with the failure), a `message_update`
 * per block delta and `message_end`. Events of the request between deltas (`auto_retry`, `model_fallback`,
 * `compaction`) are passed on, and the notes of the attempt before them are dropped. A `warning` of the provider is
 * passed on as it is.
 *
 * Completes after `message_end` and never fails: a failure of the source, or a delta that does not fit, ends the
 * message with stopReason `error` and the content so far. The completion of a stopped source ends it as `aborted`; if
 * no message had started, there is none. Buffers the message, 32 Mi characters at most: more is a failure. On
 * unsubscribe the source is unsubscribed.
 */
export function assembleMessage(options: AssembleOptions): OperatorFunction<AssistantDelta | AgentEvent, AgentEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      source$.subscribe(operate({ destination: subscriber, ...createMessageHandlers(options, subscriber) }))
    })
}

type Handlers = Required<Pick<OperateConfig<AssistantDelta | AgentEvent, AgentEvent>, 'next' | 'error' | 'complete'>>

/** Emits one message's events to the subscriber. */
function createMessageHandlers(options: AssembleOptions, subscriber: Subscriber<AgentEvent>): Handlers {
  const startedAt = asyncScheduler.now()
  const position = rememberPosition(options)
  let builder = createMessageBuilder(options.model(), startedAt)
  let isStarted = false

  const start = (): void => {
    isStarted = true
    subscriber.next({ type: 'message_start', ...position(), message: builder.empty() })
  }
  const end = (stopReason: StopReason, failure?: Failure): void => {
    const message = builder.finish(stopReason, failure)
    options.onAnswer(answerOf(position().entryId, message, { failure, refusalOf: builder.calls.refusalOf }))
    if (!isStarted) start()
    subscriber.next({ type: 'message_end', ...position(), message })
    subscriber.complete() // also unsubscribes the source
  }
  const pass = (event: AgentEvent): void => {
    if (event.type === 'warning' && event.code === impossibleUsageCode) builder.distrustUsage()
    if (!isStarted && event.type !== 'warning') builder = createMessageBuilder(options.model(), startedAt)
    subscriber.next(event)
  }
  const add = (value: AssistantDelta): void => {
    const delta = addDelta(builder, value)
    if (delta instanceof Failure) end('error', delta)
    else if (delta !== undefined) {
      if (!isStarted) start()
      subscriber.next({ type: 'message_update', entryId: options.entryId, delta })
    } else if (builder.calls.areAllRefused) end('length')
  }
  return {
    next: (value) => {
      if (isRequestEvent(value)) pass(value)
      else add(value)
    },
    error: (error) => {
      end('error', Failure.from(error, 'provider_error'))
    },
    complete: () => {
      if (subscriber.closed) return
      if (builder.stopReason !== undefined) end(...endOf(builder.stopReason))
      else if (!options.isStopped()) end('error', earlyEndFailure())
      else if (isStarted) end('aborted')
      else subscriber.complete()
    },
  }
}

/** Leaves out what is undefined. */
function answerOf(
  entryId: string,
  message: AssistantMessage,
  { failure, refusalOf }: { readonly [Key in 'failure' | 'refusalOf']: Answer[Key] | undefined },
): Answer {
  return { entryId, message, ...(failure && { failure }), ...(refusalOf && { refusalOf }) }
}

type Position = Pick<AssembleOptions, 'entryId' | 'parentId'>

/** The position of the message: its parent is the head at its start. */
function rememberPosition(options: AssembleOptions): () => Position {
  let position: Position | undefined
  return () => (position ??= { entryId: options.entryId, parentId: options.parentId })
}

/** A delta whose getters throw is a failure, too. */
function addDelta(builder: MessageBuilder, value: AssistantDelta): ReturnType<MessageBuilder['add']> {
  try {
    return builder.add(value)
  } catch (error) {
    return Failure.from(error, 'provider_error')
  }
}

/** The events of a request between its deltas; every other value is a delta, or garbage. */
const requestEvents = new Set<unknown>([
  'auto_retry',
  'model_fallback',
  'compaction',
  'compaction_progress',
  'context_edit',
  'warning',
] satisfies AgentEvent['type'][])

function isRequestEvent(value: unknown): value is AgentEvent {
  if (typeof value !== 'object' || value === null || 'contentIndex' in value) return false
  if (!('type' in value) || !requestEvents.has(value.type)) return false
  // a provider may be untyped, and a warning is its own
  return value.type !== 'warning' || checkAssistantDelta(value).ok
}

/**
 * The end by the provider's stop reason. An error or abort of the provider's own is a failure: rxpi did not stop it.
 */
function endOf(reason: StopReason): [StopReason, Failure?] {
  if (reason !== 'error' && reason !== 'aborted') return [reason]
  const message = `The provider ended its answer with stop reason ${reason} and no details`
  return ['error', new Failure('provider_error', message, { data: { kind: 'network' } })]
}
