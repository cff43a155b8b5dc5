// Joins neighbouring events that continue one another, to emit fewer events.
// Guarantees: no content is dropped, and the order stays.
import { Observable, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { longestDelay } from '../core/time-limits.ts'
import { operate } from '../core/operate.ts'
import { trampoline } from '../../streams/rx/trampoline.ts'

export interface ConflateOptions {
  /**
   * The longest that a piece waits for its continuation, in milliseconds from 0 to 2³¹−1; 33 makes 30 events a second.
   */
  readonly ms: number
}

/** Waiting events are emitted early at this many UTF-16 units … */
export const conflatedLength = 65_536
/** … or at this many events that could not be joined. */
export const conflatedEvents = 1_024

/**
 * Joins pieces of one block of the message (`message_update` with text), and updates of one tool call and update type,
 * that follow one another without a gap. A piece waits for at most `ms`, counted from the first that waits; every other
 * event is emitted at once, after the waiting ones. Updates of calls that run side by side are joined only if they do
 * not alternate: an event between two pieces stays between them. A joined update has the last `progressPercent`.
 *
 * Buffers the events of `ms`, at most 64 Ki UTF-16 units and 1,024 events: then it emits early. Completes and fails
 * with its source, after the waiting events; on unsubscribe these are dropped and the timer is cleared.
 * @throws Failure `bad_request` for an `ms` above 2³¹−1
 */
export function conflate({ ms }: ConflateOptions): MonoTypeOperatorFunction<AgentEvent> {
  if (!(ms >= 0 && ms <= longestDelay))
    throw new Failure('bad_request', `conflate: ms is ${ms}; give 0 to ${longestDelay}`)
  return (source$) =>
    new Observable((subscriber) => {
      const waiting = createEventBuffer()
      let armed: Subscription | undefined
      let isEmitting = false
      let end: (() => void) | undefined

      const emitWaiting = trampoline(() => {
        armed?.unsubscribe()
        armed = undefined
        const events = waiting.take()
        isEmitting = events.length > 0
        for (const event of events) subscriber.next(event)
        if (!isEmitting) end?.()
        return isEmitting
      })
      const arm = (): void => {
        armed ??= timer(ms).subscribe(emitWaiting)
      }
      const finish = (ending: () => void): void => {
        end = ending
        emitWaiting()
      }

      subscriber.add(() => armed?.unsubscribe())
      source$.subscribe(
        operate<AgentEvent, AgentEvent>({
          destination: subscriber,
          next: (event) => {
            waiting.add(event)
            if (isEmitting) return // an event that a delivery causes waits behind those that are being delivered
            if (!isPiece(event) || waiting.isFull) emitWaiting()
            else arm()
          },
          error: (error) => {
            finish(() => {
              subscriber.error(error)
            })
          },
          complete: () => {
            finish(() => {
              subscriber.complete()
            })
          },
        }),
      )
    })
}

interface EventBuffer {
  readonly isFull: boolean
  add(event: AgentEvent): void
  /** Removes and returns all events, in order. */
  take(): readonly AgentEvent[]
}

function createEventBuffer(): EventBuffer {
  let events: AgentEvent[] = []
  let length = 0
  return {
    get isFull() {
      return length >= conflatedLength || events.length >= conflatedEvents
    },
    add: (event) => {
      const last = events.at(-1)
      const one = last === undefined ? undefined : join(last, event)
      if (one === undefined) events.push(event)
      else events[events.length - 1] = one
      length += lengthOf(event)
    },
    take: () => {
      const taken = events
      events = []
      length = 0
      return taken
    },
  }
}

/** Both as one event if the second continues the first. */
function join(first: AgentEvent, second: AgentEvent): AgentEvent | undefined {
  if (first.type === 'message_update' && second.type === 'message_update') return joinPieces(first, second)
  if (first.type === 'tool_execution_update' && second.type === 'tool_execution_update')
    return joinOutput(first, second)
  return undefined
}

type MessageUpdate = EventNamed<'message_update'>
type ToolUpdate = EventNamed<'tool_execution_update'>

function joinPieces({ entryId, delta: first }: MessageUpdate, { entryId: of, delta: second }: MessageUpdate) {
  if (!('offset' in first) || !('offset' in second) || of !== entryId) return undefined
  if (first.type !== second.type || first.contentIndex !== second.contentIndex) return undefined
  if (second.offset !== first.offset + first.text.length) return undefined
  const delta = { ...second, ...first, text: first.text + second.text }
  return { type: 'message_update', entryId, delta } satisfies AgentEvent
}

function joinOutput(first: ToolUpdate, second: ToolUpdate): ToolUpdate | undefined {
  if (first.toolCallId !== second.toolCallId || first.updateType !== second.updateType) return undefined
  if (second.offset !== first.offset + first.content.length) return undefined
  return { ...first, ...second, offset: first.offset, content: first.content + second.content }
}

function isPiece(event: AgentEvent): boolean {
  return event.type === 'tool_execution_update' || (event.type === 'message_update' && 'offset' in event.delta)
}

function lengthOf(event: AgentEvent): number {
  if (event.type === 'tool_execution_update') return event.content.length
  return event.type === 'message_update' && 'offset' in event.delta ? event.delta.text.length : 0
}
