// Every message that starts ends exactly once, whatever the deltas do; the stream below never fails.
import { Observable, asyncScheduler } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantMessage, StopReason } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { messageAssembly } from './message-assembly.ts'
import type { MessageAssembly } from './message-assembly.ts'
import { subscribeInner } from '../core/subscribe-inner.ts'

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
  stopped(): boolean
  /** Told before `message_end` is emitted: state first. */
  answered(answer: Answer): void
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
      const startedAt = asyncScheduler.now()
      const place = placeOnce(options)
      let assembly = messageAssembly(options.model(), startedAt)
      let started = false

      const start = (): void => {
        started = true
        subscriber.next({ type: 'message_start', ...place(), message: assembly.empty() })
      }
      const end = (stopReason: StopReason, failure?: Failure): void => {
        const message = assembly.finish(stopReason, failure)
        options.answered({ entryId: place().entryId, message, ...(failure === undefined ? {} : { failure }) })
        if (!started) start()
        subscriber.next({ type: 'message_end', ...place(), message })
        subscriber.complete() // also lets go of the source
      }
      const pass = (event: AgentEvent): void => {
        if (!started) assembly = messageAssembly(options.model(), startedAt)
        subscriber.next(event)
      }

      subscribeInner(source$, subscriber, {
        sure: (value) => {
          if (isRequestEvent(value)) {
            pass(value)
            return
          }
          const delta = added(assembly, value)
          if (delta === undefined) return
          if (delta instanceof Failure) {
            end('error', delta)
            return
          }
          if (!started) start()
          subscriber.next({ type: 'message_update', entryId: options.entryId, delta })
        },
        error: (error: unknown) => {
          end('error', Failure.from(error, 'provider_error'))
        },
        complete: () => {
          if (subscriber.closed) return
          if (assembly.stopReason !== undefined) end(...ending(assembly.stopReason))
          else if (!options.stopped()) end('error', endedEarly())
          else if (started) end('aborted')
          else subscriber.complete()
        },
      })
    })
}

type Place = Pick<AssembleOptions, 'entryId' | 'parentId'>

/** Where the message stands: behind what is the head when it starts, before it is the head itself. */
function placeOnce(options: AssembleOptions): () => Place {
  let place: Place | undefined
  return () => (place ??= { entryId: options.entryId, parentId: options.parentId })
}

/** A delta that cannot even be looked at is a failure, too. */
function added(assembly: MessageAssembly, value: AssistantDelta): ReturnType<MessageAssembly['add']> {
  try {
    return assembly.add(value)
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
function ending(said: StopReason): [StopReason, Failure?] {
  if (said !== 'error' && said !== 'aborted') return [said]
  const message = `The provider ended its answer as ${said}, without a reason`
  return ['error', new Failure('provider_error', message, { data: { kind: 'network' } })]
}

function endedEarly(): Failure {
  return new Failure('provider_error', "The provider's answer ended without its end", { data: { kind: 'early_end' } })
}
