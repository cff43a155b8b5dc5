// Provides log readers for tests of the print mode.
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../lib/streams/state/fold-session.ts'
import type { Message } from '../../lib/streams/messages/message.ts'
import { checkLogLine } from '../../lib/streams/validation/validators.ts'

/** The parts of a message that tests compare. */
export function comparable(message: Message): unknown {
  if (message.role === 'assistant') {
    return ['assistant', ...message.content.map((block) => (block.type === 'text' ? block.text : block.type))]
  }
  const { content } = message
  const text =
    typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : block.type))
  return [message.role, ...[text].flat()]
}

export function foldLines(lines: readonly string[]): Message[] {
  let state = emptySession()
  for (const line of lines) {
    const checked = checkLogLine(JSON.parse(line))
    if (!checked.ok) throw new Error(`${checked.problem}: ${line}`)
    state = foldSession(state, { ...checked.value, event: checked.value.event as AgentEvent })
  }
  return transcript(state)
}

export const durableLines = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith('{"seq":'))
