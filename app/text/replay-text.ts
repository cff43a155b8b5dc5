// What people and the model say, as it comes: no part of it twice, and what was missed comes with the message's end.
import type { AgentEvent, EventNamed } from '../../lib/streams/events/event.ts'
import type { Message } from '../../lib/streams/messages/message.ts'
import type { Output } from '../process/output.ts'

/** Takes every event of a session in order. Remembers how much of the open message was written. */
export function replayText(stdout: Output): (event: AgentEvent) => void {
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
  /** Characters that were written, by block. */
  const written = new Map<number, number>()
  let lastBlock = -1
  /** A piece is missing: the rest comes with the end. */
  let waits = false

  /** What of the block stands behind what was written. @param offset of the text in its block */
  function write(block: number, offset: number, text: string): void {
    const before = written.get(block) ?? 0
    const fresh = text.slice(before - offset)
    if (fresh === '') return
    if (lastBlock === -1) stdout.dimmed(`── ${speaker}\n`)
    else if (block !== lastBlock) stdout.text('\n')
    lastBlock = block
    written.set(block, before + fresh.length)
    stdout.text(fresh)
  }
  return {
    add: (delta) => {
      if (delta.type !== 'text_delta') return
      const { contentIndex, offset, text } = delta
      waits ||= contentIndex < lastBlock || offset > (written.get(contentIndex) ?? 0)
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

/** By block; '' for those that are not text. */
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
