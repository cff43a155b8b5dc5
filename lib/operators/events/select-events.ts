// Selects events: by type, up to the end of a run, and the progress of tools.
import { filter, Observable } from 'rxjs'
import type { OperatorFunction, MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed, EventType } from '../../streams/events/event.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'
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

type ToolUpdate = EventNamed<'tool_execution_update'>

/**
 * The `tool_execution_update`s of all calls, or of one. A repeated piece (a client that joins a session may receive one) is
 * left out by its `offset`, or cut to its new part. A gap is passed on: the tool left output out.
 *
 * With `toolCallId` it completes at that call's `tool_execution_end`; otherwise it ends with its source. Fails with its
 * source. Buffers no output, only its length per running call; on unsubscribe the source is unsubscribed.
 */
export function toolProgress(toolCallId?: string): OperatorFunction<AgentEvent, ToolUpdate> {
  return (source$) =>
    new Observable((subscriber) => {
      const cursor = createOutputCursor()
      source$.subscribe(
        operate<AgentEvent, ToolUpdate>({
          destination: subscriber,
          next: (event) => {
            if (!isOfCall(event) || (toolCallId !== undefined && event.toolCallId !== toolCallId)) return
            if (event.type === 'tool_execution_update') {
              const update = cursor.add(event)
              if (update !== undefined) subscriber.next(update)
              return
            }
            cursor.forget(event.toolCallId)
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

/** Counts how much output of each call was emitted. */
interface OutputCursor {
  /** The new part of the update; undefined if it has none. */
  add(update: ToolUpdate): ToolUpdate | undefined
  /** Called when the call starts or ends: another message may reuse its id. */
  forget(toolCallId: string): void
}

function createOutputCursor(): OutputCursor {
  /** Per call and update type. */
  const calls = new Map<string, Map<string, TextCursor>>()
  return {
    add: (update) => {
      const { toolCallId, updateType, offset, content } = update
      const streams = calls.get(toolCallId) ?? new Map<string, TextCursor>()
      const cursor = streams.get(updateType) ?? new TextCursor()
      calls.set(toolCallId, streams.set(updateType, cursor))
      if (content === '') return update // says that the tool runs
      const fresh = cursor.advance({ offset, text: content })
      if (fresh === '') return undefined
      const skipped = content.length - fresh.length
      return skipped === 0 ? update : { ...update, offset: offset + skipped, content: fresh }
    },
    forget: (toolCallId) => {
      calls.delete(toolCallId)
    },
  }
}
