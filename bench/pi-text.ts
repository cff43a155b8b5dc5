// A text as pi's provider for OpenAI's completions emits it to pi's stream, statement by statement.
import type { PiCore, PiStream } from './pi-core.ts'
import { newPiMessage } from './pi-message.ts'
import { textPiece } from './text-piece.ts'

/** `awaited`: the pieces come from an async iterator, like those of an SDK; `at once`: all synchronously. */
export type PiFeed = 'awaited' | 'at once'

interface TextBlock {
  readonly type: 'text'
  text: string
}

/** One text block of `count` pieces. */
export function piText({ createAssistantMessageEventStream }: PiCore, count: number, feed: PiFeed): PiStream {
  const stream = createAssistantMessageEventStream()
  const output = newPiMessage<TextBlock>('stop')
  const block: TextBlock = { type: 'text', text: '' }
  const begin = (): void => {
    stream.push({ type: 'start', partial: output })
    output.content.push(block)
    stream.push({ type: 'text_start', contentIndex: 0, partial: output })
  }
  const take = (delta: string): void => {
    block.text += delta
    stream.push({ type: 'text_delta', contentIndex: 0, delta, partial: output })
  }
  const end = (): void => {
    stream.push({ type: 'text_end', contentIndex: 0, content: block.text, partial: output })
    stream.push({ type: 'done', reason: output.stopReason, message: output })
    stream.end()
  }
  void (async () => {
    await Promise.resolve() // the stream is returned while it is empty
    begin()
    if (feed === 'awaited') for await (const piece of pieces(count)) take(piece)
    else for (let index = 0; index < count; index++) take(textPiece(index))
    end()
  })()
  return stream
}

// oxlint-disable-next-line typescript/require-await -- an SDK's iterator is asynchronous
async function* pieces(count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield textPiece(index)
}
