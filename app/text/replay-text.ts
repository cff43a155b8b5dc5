// Prints prompts and answers as they come, each text once; the end of a message fills gaps.
import type { AgentEvent, EventNamed } from '../../lib/streams/events/event.ts'
import type { Message } from '../../lib/streams/messages/message.ts'
import type { Output } from '../process/output.ts'
import { TextCursor } from '../../lib/streams/values/text-cursor.ts'

/**
 * Returns a function that takes every event of a session in order. Buffers how much of the open message was printed.
 */
export function createReplayPrinter(stdout: Output): (event: AgentEvent) => void {
  let open: OpenText | undefined
  return (event) => {
    if (event.type === 'message_start') open = openText(event.message, stdout)
    if (event.type === 'message_update') open?.add(event.delta)
    if (event.type !== 'message_end') return
    open?.end(event.message)
    open = undefined
  }
}

interface OpenText {
  add(delta: EventNamed<'message_update'>['delta']): void
  end(message: Message): void
}

function openText(start: Message, stdout: Output): OpenText | undefined {
  const speaker = speakerOf(start)
  if (speaker === undefined) return undefined
  /** Printed characters by block. */
  const written = new Map<number, TextCursor>()
  let lastBlock = -1
  /** A piece is missing: the end of the message brings the rest. */
  let waits = false

  /**
   * Prints the part of the block that was not printed yet.
   * @param offset position of the text in its block
   */
  function write(block: number, offset: number, text: string): void {
    const cursor = written.get(block) ?? new TextCursor()
    const fresh = cursor.advance({ offset, text })
    if (fresh === '') return
    if (lastBlock === -1) stdout.dimmed(`── ${speaker}\n`)
    else if (block !== lastBlock) stdout.text('\n')
    lastBlock = block
    written.set(block, cursor)
    stdout.text(fresh)
  }
  return {
    add: (delta) => {
      if (delta.type !== 'text_delta') return
      const { contentIndex, offset, text } = delta
      waits ||= contentIndex < lastBlock || offset > (written.get(contentIndex)?.length ?? 0)
      if (!waits) write(contentIndex, offset, text)
    },
    end: (message) => {
      for (const [block, text] of textsOf(message).entries()) write(block, 0, text)
      if (lastBlock !== -1) stdout.text('\n\n')
    },
  }
}

function speakerOf(message: Message): string | undefined {
  if (message.role === 'user') return 'you'
  return message.role === 'assistant' ? `${message.provider}/${message.model}` : undefined
}

/** Texts by block; '' for blocks that are not text. */
function textsOf(message: Message): readonly string[] {
  const { content } = message
  const texts = typeof content === 'string' ? [content] : content.map(textOf)
  const error = message.role === 'assistant' ? message.errorMessage : undefined
  return error === undefined ? texts : [...texts, `[${error}]`]
}

function textOf(block: Exclude<Message['content'], string>[number]): string {
  if (block.type === 'text') return block.text
  return block.type === 'image' ? `[image: ${block.mimeType}]` : ''
}
