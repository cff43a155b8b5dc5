// Joins consecutive text pieces of a session's records over a time.
// A slow link then carries fewer frames.
import { Observable, asyncScheduler } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { createPieceJoiner } from '../../streams/messages/fold-message.ts'

export interface JoinUpdatesOptions {
  /** Milliseconds that a piece waits for those after it. */
  readonly ms: number
  /** UTF-16 units after which joined pieces do not wait. */
  readonly longest: number
}

/**
 * Emits groups of records. Pieces of one block, and of one stream of a tool's output, become one record after `ms`
 * milliseconds; any other record is emitted at once, after the pieces before it, in one group. Completes with the
 * source after the last group, and fails with it. Holds the joined pieces; unsubscribing drops them. A group has every
 * record since the one before.
 */
export function joinUpdates({
  ms,
  longest,
}: JoinUpdatesOptions): OperatorFunction<SessionRecord, readonly SessionRecord[]> {
  return (records$) =>
    new Observable((subscriber) => {
      const joiner = updateJoiner()
      let timeout: Subscription | undefined
      const emit = (...last: readonly SessionRecord[]): void => {
        timeout?.unsubscribe()
        timeout = undefined
        const records = [...joiner.take().map((event): SessionRecord => ({ event, at: 0 })), ...last]
        if (records.length > 0) subscriber.next(records)
      }
      subscriber.add(() => timeout?.unsubscribe())
      subscriber.add(
        records$.subscribe({
          next: (record) => {
            if (!joiner.add(record.event)) emit(record)
            else if (joiner.length > longest) emit()
            else timeout ??= asyncScheduler.schedule(() => emit(), ms)
          },
          error: (error: unknown) => {
            subscriber.error(error)
          },
          complete: () => {
            emit()
            subscriber.complete()
          },
        }),
      )
    })
}

export interface UpdateJoiner {
  /** UTF-16 units that were added and not taken. */
  readonly length: number
  /**
   * Adds an event; returns false if it cannot be joined. The caller takes the pieces of a message before it adds
   * another's.
   */
  add(event: AgentEvent): boolean
  /** Removes and returns what was added, joined. */
  take(): AgentEvent[]
}

type ToolUpdate = EventNamed<'tool_execution_update'>

export function updateJoiner(): UpdateJoiner {
  const pieces = createPieceJoiner()
  let output = new Map<string, ToolUpdate>()
  let entryId = ''
  let outputLength = 0
  return {
    get length() {
      return pieces.length + outputLength
    },
    add: (event) => {
      if (event.type === 'message_update' && 'offset' in event.delta) {
        entryId = event.entryId
        pieces.add(event.delta)
        return true
      }
      if (event.type !== 'tool_execution_update' || event.content === '') return false
      const key = `${event.updateType} ${event.toolCallId}`
      const before = output.get(key)
      // joining would hide a gap
      if (before !== undefined && before.offset + before.content.length !== event.offset) return false
      output.set(key, before === undefined ? event : { ...event, ...joinOutput(before, event) })
      outputLength += event.content.length
      return true
    },
    take: () => {
      const events: AgentEvent[] = pieces.take().map((delta) => ({ type: 'message_update', entryId, delta }))
      events.push(...output.values())
      output = new Map()
      outputLength = 0
      return events
    },
  }
}

function joinOutput(before: ToolUpdate, event: ToolUpdate): Pick<ToolUpdate, 'content' | 'offset'> {
  return { content: before.content + event.content, offset: before.offset }
}
