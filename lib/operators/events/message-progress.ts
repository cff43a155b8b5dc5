// Derives the assistant's text, thinking and message from the events while it streams.
import { defer, filter, map, Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { PieceDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { AssistantContent, AssistantMessage, Message } from '../../streams/messages/message.ts'
import { foldMessage } from '../../streams/messages/fold-message.ts'
import { operate } from '../core/operate.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'

/**
 * The assistant's text as it comes: no thinking, no tool arguments, no empty strings.
 *
 * The strings of a message, joined, are its text. A repeated piece is left out by its `offset`. After a gap (a client
 * that joins in mid-message has one) or a return to an earlier block, the rest of the message waits for its
 * `message_end`, which emits all that is missing as one string. A message without updates, as in a log, is emitted
 * whole, also after an error or abort.
 *
 * Ends and fails with its source. Buffers no text, only its length per block of the open message; on unsubscribe the
 * source is unsubscribed.
 */
export function textDeltas(): OperatorFunction<AgentEvent, string> {
  return pieces({ deltaType: 'text_delta', textOf: (block) => (block.type === 'text' ? block.text : '') })
}

/**
 * The assistant's thinking as it comes, by the same rules as `textDeltas`. Thinking that the provider keeps secret has
 * no text.
 *
 * Ends and fails with its source. Buffers no text, only its length per block of the open message; on unsubscribe the
 * source is unsubscribed.
 */
export function thinkingDeltas(): OperatorFunction<AgentEvent, string> {
  return pieces({ deltaType: 'thinking_delta', textOf: (block) => (block.type === 'thinking' ? block.thinking : '') })
}

/** One kind of block. */
interface PieceKind {
  readonly deltaType: PieceDelta['type']
  /** The text of a block of this kind; empty for others. */
  readonly textOf: (block: AssistantContent) => string
}

function pieces({ deltaType, textOf }: PieceKind): OperatorFunction<AgentEvent, string> {
  return (source$) =>
    defer(() => {
      let cursor = createMessageCursor(textOf)
      let entryId: string | undefined

      const takeNewText = (event: AgentEvent): string => {
        if (event.type !== 'message_update' && event.type !== 'message_end') return ''
        if (event.entryId !== entryId) cursor = createMessageCursor(textOf)
        entryId = event.entryId
        if (event.type === 'message_end') return cursor.end(event.message)
        return 'offset' in event.delta && event.delta.type === deltaType ? cursor.add(event.delta) : ''
      }
      return source$.pipe(
        map(takeNewText),
        filter((text) => text !== ''),
      )
    })
}

/** Counts how much of a message's text was emitted; both methods return the text to emit now. */
interface MessageCursor {
  add(piece: PieceDelta): string
  end(message: Message): string
}

function createMessageCursor(textOf: PieceKind['textOf']): MessageCursor {
  /** UTF-16 units emitted per block. */
  const cursors = new Map<number, TextCursor>()
  let lastBlock = 0
  let waitsForEnd = false
  let isEnded = false
  return {
    add: ({ contentIndex, offset, text }) => {
      const cursor = cursors.get(contentIndex) ?? new TextCursor()
      waitsForEnd ||= cursor.isBefore(offset) || contentIndex < lastBlock
      if (isEnded || waitsForEnd || offset + text.length <= cursor.length) return ''
      lastBlock = contentIndex
      cursors.set(contentIndex, cursor)
      return cursor.advance({ offset, text })
    },
    end: (message) => {
      if (isEnded || message.role !== 'assistant') return ''
      isEnded = true
      return message.content.map((block, index) => textOf(block).slice(cursors.get(index)?.length ?? 0)).join('')
    },
  }
}

/**
 * The assistant message folded so far (`foldMessage`) after each of its updates, and the whole message at
 * `message_end`: one emission an update, also for one that changes nothing.
 *
 * A message without its `message_start` is emitted at its end only. Messages of users and tools are left out. For a
 * screen add `auditTime(33)`.
 *
 * Ends and fails with its source. Buffers the open message and nothing else; each emission shares unchanged parts with
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
            if (event.type === 'message_start') open = openAssistantMessage(event)
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

function openAssistantMessage({ entryId, message }: EventNamed<'message_start'>): OpenMessage | undefined {
  return message.role === 'assistant' ? { entryId, message } : undefined
}
