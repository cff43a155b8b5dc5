// Events of the named types, and the compiler knows which.
import { filter, Observable } from 'rxjs'
import type { OperatorFunction, MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed, EventType } from '../../streams/events/event.ts'
import { takeThrough } from '../core/take-through.ts'
import { operate } from '../core/operate.ts'

/**
 * Passes on the events of the given types, narrowed to them: `events$.pipe(ofType('turn_end', 'agent_end'))`.
 *
 * Ends and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function ofType<Type extends EventType>(
  ...types: readonly [Type, ...Type[]]
): OperatorFunction<AgentEvent, EventNamed<Type>> {
  const wanted: ReadonlySet<EventType> = new Set(types)
  return filter((event): event is EventNamed<Type> & AgentEvent => wanted.has(event.type))
}

// Ends a stream of events when the session is idle again.

/**
 * Passes events on up to and with the next `agent_settled`, then completes: no retry, compaction or queued input follows it by
 * itself, as they may follow `agent_end`. The source is unsubscribed before `agent_settled` is emitted, so a run that its
 * handler starts is not seen.
 *
 * Completes and fails with its source; buffers nothing; on unsubscribe the source is unsubscribed.
 */
export function untilSettled(): MonoTypeOperatorFunction<AgentEvent> {
  return takeThrough(({ type }) => type === 'agent_settled')
}

// What running tools say, each piece once.

type ToolUpdate = EventNamed<'tool_execution_update'>

/**
 * The `tool_execution_update`s of all calls, or of one. A piece that was told before (who joins a session may be told it
 * again) is left out by its `offset`, or cut to what is new of it; a gap is passed on as it is: the tool left output out.
 *
 * With `toolCallId` it completes at that call's `tool_execution_end`; otherwise it ends with its source. Fails with its
 * source. Buffers no output, only its length per running call; on unsubscribe the source is unsubscribed.
 */
export function toolProgress(toolCallId?: string): OperatorFunction<AgentEvent, ToolUpdate> {
  return (source$) =>
    new Observable((subscriber) => {
      const told = toldOutput()
      source$.subscribe(
        operate<AgentEvent, ToolUpdate>({
          destination: subscriber,
          next: (event) => {
            if (!isOfCall(event) || (toolCallId !== undefined && event.toolCallId !== toolCallId)) return
            if (event.type === 'tool_execution_update') {
              const update = told.add(event)
              if (update !== undefined) subscriber.next(update)
              return
            }
            told.forget(event.toolCallId)
            if (event.type === 'tool_execution_end' && toolCallId !== undefined) subscriber.complete()
          },
        }),
      )
    })
}

function isOfCall(
  event: AgentEvent,
): event is EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'> {
  return event.type.startsWith('tool_execution_')
}

interface ToldOutput {
  /** What is new of it; undefined where nothing is. */
  add(update: ToolUpdate): ToolUpdate | undefined
  /** The call starts or ends: an id may come again with another message. */
  forget(toolCallId: string): void
}

function toldOutput(): ToldOutput {
  /** UTF-16 units told, per call and update type. */
  const calls = new Map<string, Map<string, number>>()
  return {
    add: (update) => {
      const { toolCallId, updateType, offset, content } = update
      const lengths = calls.get(toolCallId) ?? new Map<string, number>()
      const length = lengths.get(updateType) ?? 0
      const end = offset + content.length
      if (content !== '' && end <= length) return undefined
      calls.set(toolCallId, lengths.set(updateType, Math.max(length, end)))
      return content === '' || offset >= length
        ? update
        : { ...update, offset: length, content: content.slice(length - offset) }
    },
    forget: (toolCallId) => {
      calls.delete(toolCallId)
    },
  }
}
