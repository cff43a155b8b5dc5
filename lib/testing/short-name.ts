// Formats events in short notation: `AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET`.
import type { AgentEvent } from '../streams/events/event.ts'

export interface ShortNameOptions {
  /**
   * Names a call's events and its result message by the call: `xs(call_1)`, `me(call_1)`. Default false: `xs`,
   * `me(result)`.
   */
  readonly calls?: boolean
}

const names: Partial<Record<AgentEvent['type'], string>> = {
  agent_start: 'AS',
  agent_end: 'AE',
  agent_settled: 'SET',
  turn_start: 'TS',
  turn_end: 'TE',
  message_start: 'ms',
  message_update: 'mu',
  message_end: 'me',
  tool_execution_start: 'xs',
  tool_execution_update: 'xu',
  tool_execution_end: 'xe',
}
const roles: Readonly<Record<string, string>> = { user: 'user', assistant: 'asst', toolResult: 'result' }

/** One event: an event that has no short name keeps its type. */
export function shortName(event: AgentEvent, { calls = false }: ShortNameOptions = {}): string {
  const name = names[event.type] ?? event.type
  if (event.type === 'message_start' || event.type === 'message_end') {
    const { message } = event
    const named = calls && message.role === 'toolResult'
    return `${name}(${named ? message.toolCallId : (roles[message.role] ?? message.role)})`
  }
  return calls && isOfCall(event) ? `${name}(${event.toolCallId})` : name
}

/** Events in a row, one `mu` or `xu` for several that follow one another. */
export function shortNotation(events: readonly AgentEvent[], options: ShortNameOptions = {}): string {
  const all = events.map((event) => shortName(event, options))
  return all.filter((name, index) => !/^[mx]u/.test(name) || name !== all[index - 1]).join(' ')
}

function isOfCall(event: AgentEvent): event is Extract<AgentEvent, { type: `tool_execution_${string}` }> {
  return event.type.startsWith('tool_execution_')
}
