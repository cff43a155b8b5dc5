// Turns the pieces of an answer into text, reasoning and tool calls of AG-UI, each closed once.
import type { EventNamed } from '../../streams/events/event.ts'
import { innerCall, useToolName } from '../../streams/messages/inner-call.ts'
import type { AssistantContent, AssistantMessage } from '../../streams/messages/message.ts'
import type { PieceDelta } from '../../streams/messages/delta.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'
import type { AgUiEvent } from './ag-ui-events.ts'

type Emit = (event: AgUiEvent) => void
type BlockKind = AssistantContent['type']
interface CallHead {
  readonly id: string
  readonly name: string
}

/** The answer that streams. What is emitted of a block, joined, is its text, also after repeated or lost pieces. */
export class AnswerStream {
  readonly #emit: Emit
  #entryId: string | undefined
  #blocks = new Map<number, BlockStream>()
  #hasText = false

  constructor(emit: Emit) {
    this.#emit = emit
  }

  update({ entryId, delta }: EventNamed<'message_update'>): void {
    this.#open(entryId)
    const { contentIndex, type } = delta
    const block = this.#blocks.get(contentIndex) ?? this.#openBlock(entryId, contentIndex, kindOf(type), callIn(delta))
    if ('offset' in delta) block?.add(delta)
    if (type === 'thinking_end' || type === 'toolcall_end') block?.closeUnlessLacking()
  }

  /** Emits what the updates have not brought, and closes everything. */
  end(entryId: string, { content }: AssistantMessage): void {
    this.#open(entryId)
    for (const [index, block] of content.entries()) {
      const part = block.type === 'toolCall' ? innerCall(block) : block
      const stream = this.#blocks.get(index) ?? this.#openBlock(entryId, index, part.type, part.type === 'toolCall' ? part : undefined) // prettier-ignore
      stream?.complete(part)
    }
    this.close()
  }

  close(): void {
    for (const block of this.#blocks.values()) block.close()
    if (this.#hasText && this.#entryId !== undefined) this.#emit({ type: 'TEXT_MESSAGE_END', messageId: this.#entryId })
    this.#blocks = new Map()
    this.#hasText = false
    this.#entryId = undefined
  }

  #open(entryId: string): void {
    if (this.#entryId === entryId) return
    this.close()
    this.#entryId = entryId
  }

  /** Undefined for a call whose name is not known yet: it comes with the end of the message. */
  #openBlock(messageId: string, index: number, kind: BlockKind, call?: CallHead): BlockStream | undefined {
    if (kind === 'toolCall' && call === undefined) return undefined
    if (kind === 'text' && !this.#hasText) {
      this.#hasText = true
      this.#emit({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
    }
    const block = blockStream(this.#emit, { messageId, index, kind, ...(call === undefined ? {} : { call }) })
    this.#blocks.set(index, block)
    return block
  }
}

interface BlockStream {
  add(piece: PieceDelta): void
  /** Emits the rest of the whole block. */
  complete(part: AssistantContent): void
  closeUnlessLacking(): void
  close(): void
}

interface BlockHead {
  readonly messageId: string
  readonly index: number
  readonly kind: BlockKind
  readonly call?: CallHead
}

function blockStream(emit: Emit, { messageId, index, kind, call }: BlockHead): BlockStream {
  const id = call?.id ?? (kind === 'text' ? messageId : `${messageId}.${index}`)
  const cursor = new TextCursor()
  let isLacking = false
  let isOpen = true
  if (call !== undefined) emit({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: call.name, parentMessageId: messageId }) // prettier-ignore
  if (kind === 'thinking') {
    emit({ type: 'REASONING_START', messageId: id })
    emit({ type: 'REASONING_MESSAGE_START', messageId: id, role: 'reasoning' })
  }
  const put = (delta: string): void => {
    if (delta === '' || !isOpen) return
    if (kind === 'toolCall') emit({ type: 'TOOL_CALL_ARGS', toolCallId: id, delta })
    else emit({ type: kind === 'text' ? 'TEXT_MESSAGE_CONTENT' : 'REASONING_MESSAGE_CONTENT', messageId: id, delta })
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    if (kind === 'toolCall') emit({ type: 'TOOL_CALL_END', toolCallId: id })
    if (kind !== 'thinking') return
    emit({ type: 'REASONING_MESSAGE_END', messageId: id })
    emit({ type: 'REASONING_END', messageId: id })
  }
  return {
    add: (piece) => {
      isLacking ||= cursor.isBefore(piece.offset)
      if (!isLacking) put(cursor.advance(piece))
    },
    complete: (part) => put(wholeText(part, kind).slice(cursor.length)),
    closeUnlessLacking: () => {
      if (!isLacking) close()
    },
    close,
  }
}

/**
 * The id and the name of a call: its start has them, and the first checkpoint of it in a log. Undefined for use_tool: only
 * its whole arguments have the name and the arguments of the call that it asks for.
 */
function callIn(delta: EventNamed<'message_update'>['delta']): CallHead | undefined {
  if ('name' in delta && delta.name === useToolName) return undefined
  if (delta.type === 'toolcall_start') return delta
  if (delta.type !== 'toolcall_delta' || delta.id === undefined || delta.name === undefined) return undefined
  return { id: delta.id, name: delta.name }
}

function kindOf(delta: EventNamed<'message_update'>['delta']['type']): BlockKind {
  if (delta.startsWith('text')) return 'text'
  return delta.startsWith('thinking') ? 'thinking' : 'toolCall'
}

/** Empty if the block is of another kind than its pieces were. */
function wholeText(part: AssistantContent, kind: BlockKind): string {
  if (part.type !== kind) return ''
  if (part.type === 'text') return part.text
  return part.type === 'thinking' ? part.thinking : (part.argumentsText ?? JSON.stringify(part.arguments))
}
