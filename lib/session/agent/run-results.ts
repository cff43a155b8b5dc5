// Collects the result of each run: messages, last answer and text.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import type { AssistantMessage, Message } from '../../streams/messages/message.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/** A run from its `agent_start` to its `agent_settled`. */
export interface RunResult extends Omit<EventNamed<'agent_end'>, 'type'> {
  /** The messages that the run added, oldest first: inputs, answers and tool results. */
  readonly messages: readonly Message[]
  /** The last answer; absent if the run ended before one began. */
  readonly message?: AssistantMessage
  /** The text of the last answer; may be empty. */
  readonly text: string
}

/** A settled run. */
export interface SettledRun {
  readonly runId: string | undefined
  readonly result: RunResult
}

/**
 * Emits each run at its `agent_settled`; skips a run that was on at the subscription. Completes and fails with its source.
 * Buffers the messages of the run that is on.
 */
export function runResults(): OperatorFunction<SessionRecord, SettledRun> {
  return (records$) =>
    new Observable((subscriber) => {
      let messages: Message[] | undefined
      let end: EventNamed<'agent_end'> | undefined
      return records$.subscribe({
        next: ({ event, runId }) => {
          if (event.type === 'agent_start') messages = []
          else if (event.type === 'message_end') messages?.push(event.message)
          else if (event.type === 'agent_end') end = event
          else if (event.type === 'agent_settled' && messages !== undefined && end !== undefined) {
            subscriber.next({ runId, result: resultOf(end, messages) })
          }
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          subscriber.complete()
        },
      })
    })
}

function resultOf({ type, ...end }: EventNamed<'agent_end'>, messages: readonly Message[]): RunResult {
  const message = messages.findLast((each) => each.role === 'assistant')
  return message === undefined ? { ...end, messages, text: '' } : { ...end, messages, message, text: textOf(message) }
}

function textOf({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}
