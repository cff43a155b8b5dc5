// Plays a scripted answer step by step; the next step follows when the last one was taken.
// So neither agent is ahead of its subscribers.
import type { AssistantDelta, BlockDelta } from '../../../lib/streams/messages/delta.ts'
import type { StopReason } from '../../../lib/streams/messages/message.ts'
import type { Answer, AnswerStep } from './situation.ts'

export type PlayedDelta = BlockDelta | Extract<AssistantDelta, { type: 'start' }> | PlayedEnd
export interface PlayedEnd {
  readonly type: 'done'
  readonly stopReason: StopReason
}

/** The answer's deltas; ends without `done` once `signal` aborts. @throws Error if the answer `fails`, with its text */
export async function* playAnswer(answer: Answer, signal: AbortSignal): AsyncGenerator<PlayedDelta> {
  let contentIndex = 0
  let begun = false
  for (const step of answer) {
    if (isAborted(signal)) return
    if ('fails' in step) throw new Error(step.fails)
    if ('waits' in step) {
      await waitForAbort(signal)
      return
    }
    if ('ends' in step) continue
    if (!begun) yield { type: 'start' }
    begun = true
    if ('begins' in step) continue
    for (const delta of blockDeltas(step, contentIndex++)) {
      if (isAborted(signal)) return
      yield delta
    }
  }
  if (isAborted(signal)) return
  yield { type: 'done', stopReason: stopReasonOf(answer) }
}

/** A call, because the compiler assumes that a property does not change after its first read. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}

type BlockStep = Extract<AnswerStep, { says: unknown } | { thinks: unknown } | { calls: unknown }>

function* blockDeltas(step: BlockStep, contentIndex: number): Generator<BlockDelta> {
  if ('says' in step) {
    yield { type: 'text_start', contentIndex }
    for (const text of step.says) yield { type: 'text_delta', contentIndex, text }
    yield { type: 'text_end', contentIndex }
  } else if ('thinks' in step) {
    yield { type: 'thinking_start', contentIndex }
    for (const text of step.thinks) yield { type: 'thinking_delta', contentIndex, text }
    yield { type: 'thinking_end', contentIndex }
  } else {
    const { calls: id, tool: name, args, cut } = step
    const text = JSON.stringify(args)
    yield { type: 'toolcall_start', contentIndex, id, name }
    yield { type: 'toolcall_delta', contentIndex, text: cut === true ? text.slice(0, -1) : text }
    if (cut !== true) yield { type: 'toolcall_end', contentIndex, arguments: args }
  }
}

function stopReasonOf(answer: Answer): StopReason {
  for (const step of answer) if ('ends' in step) return step.ends
  return answer.some((step) => 'calls' in step) ? 'toolUse' : 'stop'
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
