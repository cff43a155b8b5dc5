// Provides deltas and the message that `assembleMessage` makes of them.
import { from } from 'rxjs'
import type { Observable } from 'rxjs'
import { assembleMessage } from '../../../lib/operators/request/assemble-message.ts'
import type { Answer, AssembleOptions } from '../../../lib/operators/request/assemble-message.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { AssistantMessage, StopReason } from '../../../lib/streams/messages/message.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import { sampleUsage } from '../../streams/events/samples.ts'

export const textStart = (contentIndex = 0): AssistantDelta => ({ type: 'text_start', contentIndex })

export const text = (piece: string, contentIndex = 0): AssistantDelta => ({
  type: 'text_delta',
  contentIndex,
  text: piece,
})

export const textEnd = (contentIndex = 0): AssistantDelta => ({ type: 'text_end', contentIndex })

export const callStart = (id: string, contentIndex = 0): AssistantDelta => ({
  type: 'toolcall_start',
  contentIndex,
  id,
  name: 'read',
})

export const callPiece = (piece: string, contentIndex = 0): AssistantDelta => ({
  type: 'toolcall_delta',
  contentIndex,
  text: piece,
})

export const done = (stopReason: StopReason = 'stop'): AssistantDelta => ({
  type: 'done',
  stopReason,
  usage: sampleUsage,
})

const retry: AgentEvent = { type: 'auto_retry', attempt: 2, delayMs: 5, kind: 'network' }

export const letters: Record<string, AssistantDelta | AgentEvent> = {
  s: { type: 'start', responseId: 'r' },
  o: textStart(),
  t: text('t'),
  e: textEnd(),
  d: done(),
  r: retry,
  u: { type: 'usage', usage: sampleUsage },
  x: text('no such block', 7),
}

export function options(more: Partial<AssembleOptions> = {}): AssembleOptions {
  return {
    entryId: 'entry',
    parentId: 'parent',
    model: () => scriptedModel,
    isStopped: () => false,
    onAnswer: () => undefined,
    ...more,
  }
}

/** Returns the events of synchronous deltas. */
export function assemble(deltas: Iterable<AssistantDelta | AgentEvent>, more: Partial<AssembleOptions> = {}) {
  return playAssembly(from(deltas), more)
}

export function playAssembly(source$: Observable<AssistantDelta | AgentEvent>, more: Partial<AssembleOptions> = {}) {
  const events: AgentEvent[] = []
  const answers: Answer[] = []
  let end = 'open'
  source$.pipe(assembleMessage(options({ onAnswer: (answer) => answers.push(answer), ...more }))).subscribe({
    next: (event) => events.push(event),
    error: () => (end = 'error'),
    complete: () => (end = 'complete'),
  })
  const last = events.at(-1)
  const message = last?.type === 'message_end' ? (last.message as AssistantMessage) : undefined
  return { events, answers, end, message, notation: shortNotation(events) }
}
