// The message as it stands after each update; the last one of a message is that of its end.
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { foldMessage } from '../../streams/messages/fold-message.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import { operate } from '../core/operate.ts'

/**
 * The assistant message folded so far (`foldMessage`), after each of its updates, and at `message_end` the whole: one
 * emission an update, also for one that changes nothing.
 *
 * Of a message whose `message_start` was not seen, or of which only the end is, comes the end alone. Messages of users and
 * tools are left out. For a screen put `auditTime(33)` behind it.
 *
 * Ends and fails with its source. Buffers the open message and nothing else; each emission shares what did not change with
 * the one before. On unsubscribe the source is unsubscribed.
 */
export function accumulateMessage(): OperatorFunction<AgentEvent, AssistantMessage> {
  return (source$) =>
    new Observable((subscriber) => {
      let open: OpenMessage | undefined
      source$.subscribe(
        operate<AgentEvent, AssistantMessage>({
          destination: subscriber,
          next: (event) => {
            if (event.type === 'message_start') open = opened(event)
            if (event.type === 'message_update' && open?.entryId === event.entryId) {
              open = { ...open, message: foldMessage(open.message, event.delta) }
              subscriber.next(open.message)
            }
            if (event.type === 'message_end') {
              open = undefined
              if (event.message.role === 'assistant') subscriber.next(event.message)
            }
          },
        }),
      )
    })
}

interface OpenMessage {
  readonly entryId: string
  readonly message: AssistantMessage
}

function opened({ entryId, message }: EventNamed<'message_start'>): OpenMessage | undefined {
  return message.role === 'assistant' ? { entryId, message } : undefined
}
