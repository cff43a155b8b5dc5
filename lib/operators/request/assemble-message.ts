// Every message that starts ends exactly once, whatever the deltas do; the stream below never fails.
import { Observable, asyncScheduler } from 'rxjs'
import type { OperatorFunction, Subscriber } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantMessage, StopReason } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { messageBuilder } from './message-builder.ts'
import type { MessageBuilder } from './message-builder.ts'
import { operate } from '../core/operate.ts'
import type { OperateConfig } from '../core/operate.ts'

/** What became of one request. */
export interface Answer {
  readonly entryId: string
  readonly message: AssistantMessage
  /** Why the message ended in `error`. */
  readonly failure?: Failure
}

export interface AssembleOptions {
  readonly entryId: string
  /** Asked when the message starts. */
  readonly parentId: string | null
  /** Who answers. Asked at the beginning, and with each event of the request: the message begins anew there. */
  model(): Model
  /** Asked when the source completes without `done`: true = the run was stopped, and the message is `aborted`. */
  isStopped(): boolean
  /** Told before `message_end` is emitted: state first. */
  onAnswer(answer: Answer): void
}

/**
 * Turns one request's deltas into `message_start` (with the first block delta, or with the failure), a `message_update` per
 * block delta and `message_end`. What the request tells between deltas (`auto_retry`, `model_fallback`, `compaction`) is passed on, and what the
 * attempt before them had said of itself is forgotten.
 *
 * Completes after `message_end` and never fails: a failure of the source, or a delta that fits nothing, ends the message
 * with stopReason `error`, what had arrived kept. A stopped source's completion ends it as `aborted` — where nothing had
 * started there is no message at all. Buffers the message, 32 Mi characters at most: more is a failure. On
 * unsubscribe nothing more is told.
 */
export function assembleMessage(options: AssembleOptions): OperatorFunction<AssistantDelta | AgentEvent, AgentEvent> {
  return (source$) =>
    new Observable((subscriber) => {
      source$.subscribe(operate({ destination: subscriber, ...messageEmitter(options, subscriber) }))
    })
}

type Handlers = Required<Pick<OperateConfig<AssistantDelta | AgentEvent, AgentEvent>, 'next' | 'error' | 'complete'>>

/** Emits one message's events to the subscriber. */
function messageEmitter(options: AssembleOptions, subscriber: Subscriber<AgentEvent>): Handlers {
  const startedAt = asyncScheduler.now()
  const position = positionOnce(options)
  let builder = messageBuilder(options.model(), startedAt)
  let isStarted = false

  const start = (): void => {
    isStarted = true
    subscriber.next({ type: 'message_start', ...position(), message: builder.empty() })
  }
  const end = (stopReason: StopReason, failure?: Failure): void => {
    const message = builder.finish(stopReason, failure)
    options.onAnswer({ entryId: position().entryId, message, ...(failure === undefined ? {} : { failure }) })
    if (!isStarted) start()
    subscriber.next({ type: 'message_end', ...position(), message })
    subscriber.complete() // also unsubscribes the source
  }
  const pass = (event: AgentEvent): void => {
    if (!isStarted) builder = messageBuilder(options.model(), startedAt)
    subscriber.next(event)
  }
  const add = (value: AssistantDelta): void => {
    const delta = addDelta(builder, value)
    if (delta === undefined) return
    if (delta instanceof Failure) {
      end('error', delta)
      return
    }
    if (!isStarted) start()
    subscriber.next({ type: 'message_update', entryId: options.entryId, delta })
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
      else if (!options.isStopped()) end('error', endedEarly())
      else if (isStarted) end('aborted')
      else subscriber.complete()
    },
  }
}

type Position = Pick<AssembleOptions, 'entryId' | 'parentId'>

/** Where the message stands: behind what is the head when it starts, before it is the head itself. */
function positionOnce(options: AssembleOptions): () => Position {
  let position: Position | undefined
  return () => (position ??= { entryId: options.entryId, parentId: options.parentId })
}

/** A delta that cannot even be looked at is a failure, too. */
function addDelta(builder: MessageBuilder, value: AssistantDelta): ReturnType<MessageBuilder['add']> {
  try {
    return builder.add(value)
  } catch (error) {
    return Failure.from(error, 'provider_error')
  }
}

/** What a request tells between its deltas; all else is a delta, or garbage. */
const requestEvents = new Set<unknown>([
  'auto_retry',
  'model_fallback',
  'compaction',
  'warning',
] satisfies AgentEvent['type'][])

function isRequestEvent(value: unknown): value is AgentEvent {
  if (typeof value !== 'object' || value === null || 'contentIndex' in value) return false
  return 'type' in value && requestEvents.has(value.type)
}

/** As the provider said; an error or abort that it tells of itself is a failure, for nobody here stopped it. */
function endOf(reason: StopReason): [StopReason, Failure?] {
  if (reason !== 'error' && reason !== 'aborted') return [reason]
  const message = `The provider ended its answer as ${reason}, without a reason`
  return ['error', new Failure('provider_error', message, { data: { kind: 'network' } })]
}

function endedEarly(): Failure {
  return new Failure('provider_error', "The provider's answer ended without its end", { data: { kind: 'early_end' } })
}
