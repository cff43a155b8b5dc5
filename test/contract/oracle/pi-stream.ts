// A scripted answer as a provider of pi: failures and aborts are messages, as pi's contract says.
import { playAnswer } from './play-answer.ts'
import type { PlayedDelta } from './play-answer.ts'
import type { ShownPart } from './message-line.ts'
import type { PiAssistantEvent, PiMessage, PiStream } from './pi-shapes.ts'
import type { Answer } from './situation.ts'

const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
}

/** The answer in pi's form. A missing answer is a failure that says so. */
export function piStream(answer: Answer, signal: AbortSignal): PiStream {
  const final = Promise.withResolvers<PiMessage>()
  return {
    [Symbol.asyncIterator]: () => piEvents(answer, signal, final.resolve),
    result: () => final.promise,
  }
}

async function* piEvents(
  answer: Answer,
  signal: AbortSignal,
  ended: (message: PiMessage) => void,
): AsyncGenerator<PiAssistantEvent> {
  const content: Writable<ShownPart>[] = []
  const message = (stopReason: string, more: { errorMessage?: string } = {}): PiMessage => {
    const about = { api: 'scripted', provider: 'scripted', model: 'scripted', usage, timestamp: Date.now() }
    return { role: 'assistant', content, stopReason, ...more, ...about }
  }
  const fail = (reason: string, more: { errorMessage?: string } = {}): PiAssistantEvent => {
    const error = message(reason, more)
    ended(error)
    return { type: 'error', reason, error }
  }
  try {
    for await (const delta of playAnswer(answer, signal)) {
      if (delta.type !== 'done') yield partial(delta, content, message('stop'))
      else {
        const done = message(delta.stopReason)
        ended(done)
        yield { type: 'done', reason: delta.stopReason, message: done }
        return
      }
    }
    yield fail('aborted')
  } catch (error) {
    yield fail('error', { errorMessage: error instanceof Error ? error.message : String(error) })
  }
}

type Writable<Part> = { -readonly [Name in keyof Part]: Part[Name] }

function partial(
  delta: Exclude<PlayedDelta, { type: 'done' }>,
  content: Writable<ShownPart>[],
  message: PiMessage,
): PiAssistantEvent {
  if (delta.type === 'start') return { type: 'start', partial: message }
  const { contentIndex } = delta
  const part = content[contentIndex]
  if (delta.type === 'text_start') content[contentIndex] = { type: 'text', text: '' }
  if (delta.type === 'thinking_start') content[contentIndex] = { type: 'thinking', thinking: '' }
  if (delta.type === 'toolcall_start') {
    content[contentIndex] = { type: 'toolCall', id: delta.id, name: delta.name, arguments: {} }
  }
  if (part !== undefined && delta.type === 'text_delta') part.text = `${part.text ?? ''}${delta.text}`
  if (part !== undefined && delta.type === 'thinking_delta') part.thinking = `${part.thinking ?? ''}${delta.text}`
  if (part !== undefined && delta.type === 'toolcall_end') part.arguments = delta.arguments
  const text = 'text' in delta ? { delta: delta.text } : {}
  return { type: delta.type, contentIndex, ...text, partial: message }
}
