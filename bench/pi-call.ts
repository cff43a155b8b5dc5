// A tool call as pi's provider for OpenAI streams it: each piece parses the arguments again.
import type { PiCore, PiStream } from './pi-core.ts'
import { newPiMessage } from './pi-message.ts'

interface CallBlock {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  arguments: Record<string, unknown>
  partialArgs?: string
}

export interface PiCall {
  readonly id: string
  readonly name: string
  /** The arguments' text, in order. */
  readonly pieces: readonly string[]
  /** Called after each piece; false: the answer ends here, its arguments cut. */
  taken?(count: number): boolean
}

/** An answer of one tool call. */
export function piCall(pi: PiCore, { id, name, pieces, taken = () => true }: PiCall): PiStream {
  const stream = pi.createAssistantMessageEventStream()
  const output = newPiMessage<CallBlock>('toolUse')
  const block: CallBlock = { type: 'toolCall', id, name, arguments: {}, partialArgs: '' }
  const take = (delta: string): void => {
    block.partialArgs = (block.partialArgs ?? '') + delta
    block.arguments = pi.parseStreamingJson(block.partialArgs)
    stream.push({ type: 'toolcall_delta', contentIndex: 0, delta, partial: output })
  }
  void (async () => {
    await Promise.resolve() // the stream is returned while it is empty
    stream.push({ type: 'start', partial: output })
    output.content.push(block)
    stream.push({ type: 'toolcall_start', contentIndex: 0, partial: output })
    let count = 0
    for await (const piece of awaited(pieces)) {
      take(piece)
      if (!taken(++count)) break
    }
    block.arguments = pi.parseStreamingJson(block.partialArgs ?? '')
    delete block.partialArgs
    stream.push({ type: 'toolcall_end', contentIndex: 0, toolCall: block, partial: output })
    stream.push({ type: 'done', reason: output.stopReason, message: output })
    stream.end()
  })()
  return stream
}

// oxlint-disable-next-line typescript/require-await -- an SDK's iterator is asynchronous
async function* awaited(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece // `yield*` would take a microtask more a piece
}
