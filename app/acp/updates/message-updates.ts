// Converts messages and their pieces into chunks of ACP; each character is sent once.
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import { innerCall } from '../../../lib/streams/messages/inner-call.ts'
import { displayText } from '../../../lib/streams/messages/message-text.ts'
import type { AssistantMessage, Message } from '../../../lib/streams/messages/message.ts'
import { TextCursor } from '../../../lib/streams/values/text-cursor.ts'
import type { CallUpdates } from './call-updates.ts'

type TextKind = 'text' | 'thinking'

/** The open message of one session. Holds the number of characters that were sent of each of its blocks. */
export class MessageUpdates {
  readonly #calls: CallUpdates
  readonly #sent = new Map<string, TextCursor>()

  constructor(calls: CallUpdates) {
    this.#calls = calls
  }

  piece(entryId: string, delta: MessageDelta): SessionUpdate[] {
    switch (delta.type) {
      case 'text_delta':
        return this.#chunk('text', { entryId, block: delta.contentIndex, piece: delta })
      case 'thinking_delta':
        return this.#chunk('thinking', { entryId, block: delta.contentIndex, piece: delta })
      case 'toolcall_start':
        return this.#calls.announce(delta.id, delta.name)
      default:
        return []
    }
  }

  /** Sends what no piece had. */
  answer(entryId: string, { content }: AssistantMessage): SessionUpdate[] {
    const updates = content.flatMap((part, block) => {
      if (part.type === 'toolCall') return this.#calls.describe(innerCall(part))
      const text = part.type === 'text' ? part.text : part.thinking
      return this.#chunk(part.type, { entryId, block, piece: { offset: 0, text } })
    })
    this.#sent.clear()
    return updates
  }

  #chunk(kind: TextKind, { entryId, block, piece }: BlockPiece): SessionUpdate[] {
    const key = `${entryId} ${block}`
    const cursor = this.#sent.get(key) ?? new TextCursor()
    if (cursor.isBefore(piece.offset)) return [] // the end of the message has it
    this.#sent.set(key, cursor)
    const text = cursor.advance(piece)
    if (text === '') return []
    const sessionUpdate = kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk'
    return [{ sessionUpdate, messageId: entryId, content: { type: 'text', text } }]
  }
}

interface BlockPiece {
  readonly entryId: string
  readonly block: number
  readonly piece: { readonly offset: number; readonly text: string }
}

/** A person's input: the text as typed, then the images of the log. */
export function userUpdates(entryId: string, message: Message): SessionUpdate[] {
  const text = displayText(message)
  const blocks: ContentBlock[] = text === '' ? [] : [{ type: 'text', text }]
  const { content }: { readonly content?: unknown } = message
  if (message.role === 'user' && Array.isArray(content)) {
    for (const part of message.content) {
      if (typeof part === 'string' || part.type !== 'image') continue
      const { data, mimeType } = part
      blocks.push(data === undefined ? { type: 'text', text: `[${mimeType}]` } : { type: 'image', data, mimeType })
    }
  }
  return blocks.map((block) => ({ sessionUpdate: 'user_message_chunk', messageId: entryId, content: block }))
}
