// Collects the result of each run from its events.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { AssistantMessage, Message } from '../../streams/messages/message.ts'
import { operate } from '../core/operate.ts'

/** A run from its `agent_start` to its `agent_settled`. */
export interface RunResult extends Omit<EventNamed<'agent_end'>, 'type'> {
  /** The messages that the run added, oldest first: inputs, answers and tool results. */
  readonly messages: readonly Message[]
  /** The last answer; absent if the run ended before one began. */
  readonly message?: AssistantMessage
  /** The text of the last answer; may be empty. */
  readonly text: string
}

/**
 * Emits the result of each run at its `agent_settled`, also of a run that failed: `terminationReason` and `error` say
 * so. If the stream begins within a run, `messages` has those that came since. Completes and fails with its source,
 * without a result for an unfinished run. Buffers the messages of the run that is on; on unsubscribe the source is
 * unsubscribed.
 */
export function runResults(): OperatorFunction<AgentEvent, RunResult> {
  return (events$) =>
    new Observable((subscriber) => {
      let messages: Message[] = []
      let end: EventNamed<'agent_end'> | undefined
      const take = (): RunResult | undefined => {
        const result = end && resultOf(end, messages)
        messages = []
        end = undefined
        return result
      }
      events$.subscribe(
        operate<AgentEvent, RunResult>({
          destination: subscriber,
          next: (event) => {
            if (event.type === 'agent_start') messages = []
            else if (event.type === 'message_end') messages.push(event.message)
            else if (event.type === 'agent_end') end = event
            else if (event.type === 'agent_settled') {
              const result = take() // state first: the subscriber may start the next run in its `next`
              if (result !== undefined) subscriber.next(result)
            }
          },
        }),
      )
    })
}

function resultOf({ type, ...end }: EventNamed<'agent_end'>, messages: readonly Message[]): RunResult {
  const message = messages.findLast((each) => each.role === 'assistant')
  return message === undefined ? { ...end, messages, text: '' } : { ...end, messages, message, text: textOf(message) }
}

function textOf({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}
