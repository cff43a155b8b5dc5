// What is emitted for a message, joined, is its text: nothing twice, and what the updates lacked comes with its end.
import { defer, filter, map, Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { PieceDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { Message, AssistantMessage } from '../../streams/messages/message.ts'
import { foldMessage } from '../../streams/messages/fold-message.ts'
import { operate } from '../core/operate.ts'

/**
 * The assistant's text as it comes: no thinking, no tool arguments, no empty strings.
 *
 * A piece that was told before is left out by its `offset`. Behind a gap (who joins in mid-message sees one) or a return to
 * an earlier block the rest of the message waits for its `message_end`, which gives all that is missing as one string; a
 * message of which only the end is seen, as in a log, comes whole. A message that ends in error or abort gives what it has.
 *
 * Ends and fails with its source. Buffers no text, only its length per block of the open message; on unsubscribe the source
 * is unsubscribed.
 */
export function textDeltas(): OperatorFunction<AgentEvent, string> {
  return (source$) =>
    defer(() => {
      let told = toldText()
      let entryId: string | undefined

      const missing = (event: AgentEvent): string => {
        if (event.type !== 'message_update' && event.type !== 'message_end') return ''
        if (event.entryId !== entryId) told = toldText()
        entryId = event.entryId
        if (event.type === 'message_end') return told.end(event.message)
        return event.delta.type === 'text_delta' ? told.add(event.delta) : ''
      }
      return source$.pipe(
        map(missing),
        filter((text) => text !== ''),
      )
    })
}

/** How much of one message was told; both methods give what is to be told now. */
interface ToldText {
  add(piece: PieceDelta): string
  end(message: Message): string
}

function toldText(): ToldText {
  /** UTF-16 units told per block. */
  const lengths = new Map<number, number>()
  let lastBlock = 0
  let waitsForEnd = false
  let ended = false
  return {
    add: ({ contentIndex, offset, text }) => {
      const length = lengths.get(contentIndex) ?? 0
      waitsForEnd ||= offset > length || contentIndex < lastBlock
      if (ended || waitsForEnd || offset + text.length <= length) return ''
      lastBlock = contentIndex
      lengths.set(contentIndex, offset + text.length)
      return text.slice(length - offset)
    },
    end: (message) => {
      if (ended || message.role !== 'assistant') return ''
      ended = true
      return message.content
        .map((block, index) => (block.type === 'text' ? block.text.slice(lengths.get(index) ?? 0) : ''))
        .join('')
    },
  }
}

// The message as it stands after each update; the last one of a message is that of its end.

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
