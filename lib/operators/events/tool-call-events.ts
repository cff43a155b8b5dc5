// Derives the progress of tool calls: updates without repeats, and one Observable a call.
import { Observable, Subject, takeUntil } from 'rxjs'
import type { Observer, OperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'
import { createHolderCount } from '../core/holder-count.ts'
import { operate } from '../core/operate.ts'
import { serialise } from '../core/serialise.ts'

type ToolUpdate = EventNamed<'tool_execution_update'>

/** The events of one call: its start, its updates, its end. */
export type ToolCallEvent = EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'>

/** The events of one call. */
export interface ToolCallEvents extends Observable<ToolCallEvent> {
  /** Its first event, with the name of the tool and the arguments. */
  readonly start: EventNamed<'tool_execution_start'>
}

/**
 * The `tool_execution_update`s of all calls, or of one. A repeated piece (a client that joins a session may receive
 * one) is left out by its `offset`, or cut to its new part. A gap is passed on: the tool left output out.
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

/**
 * Emits one Observable a tool call, just before its `tool_execution_start`, which is its first event and its property
 * `start`. It emits the updates without repeats, as `toolProgress` does, and completes after its `tool_execution_end`.
 * Calls that run side by side are open at the same time. Events of a call without its start are in none.
 *
 * A call is live and keeps nothing: subscribe when it is emitted (`mergeMap`). Buffers no output, only its length per
 * open call. Ends and fails with its source, and the open calls before it; a call whose id is started again completes
 * there. The source is unsubscribed when neither the outer stream nor a call is subscribed any more.
 */
export function toolCalls(): OperatorFunction<AgentEvent, ToolCallEvents> {
  return (source$) =>
    new Observable((subscriber) => {
      const calls = createOpenCalls()
      const holders = createHolderCount()
      subscriber.add(holders.hold())
      source$.pipe(serialise(), takeUntil(holders.released$)).subscribe({
        next: (event) => {
          if (!isOfCall(event)) return
          if (event.type === 'tool_execution_start')
            subscriber.next(Object.assign(holders.counted(calls.open(event)), { start: event }))
          calls.next(event)
        },
        error: (error: unknown) => {
          calls.endAll((call) => {
            call.error(error)
          })
          subscriber.error(error)
        },
        complete: () => {
          calls.endAll((call) => {
            call.complete()
          })
          subscriber.complete()
        },
      })
    })
}

/** The calls that have begun, by id. */
function createOpenCalls() {
  const calls = new Map<string, Subject<ToolCallEvent>>()
  const cursor = createOutputCursor()
  /** Removes the call first: a subscriber's `complete` may cause the next event. */
  const close = (toolCallId: string): void => {
    const call$ = calls.get(toolCallId)
    calls.delete(toolCallId)
    cursor.forget(toolCallId)
    call$?.complete()
  }
  return {
    open: ({ toolCallId }: EventNamed<'tool_execution_start'>): Observable<ToolCallEvent> => {
      close(toolCallId) // it had no end
      const call$ = new Subject<ToolCallEvent>()
      calls.set(toolCallId, call$)
      return call$
    },
    next: (event: ToolCallEvent): void => {
      const fresh = event.type === 'tool_execution_update' ? cursor.add(event) : event
      if (fresh !== undefined) calls.get(event.toolCallId)?.next(fresh)
      if (event.type === 'tool_execution_end') close(event.toolCallId)
    },
    endAll: (end: (call: Observer<ToolCallEvent>) => void): void => {
      const open = [...calls.values()]
      calls.clear()
      for (const call$ of open) end(call$)
    },
  }
}

function isOfCall(event: AgentEvent): event is ToolCallEvent {
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
