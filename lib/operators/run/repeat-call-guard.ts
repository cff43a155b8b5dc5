// Counts identical tool calls in a row over the turns of a run, and warns of repetition.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import { isSameJson } from '../../streams/values/json.ts'

/** A row of this many identical calls is warned of, once a row. */
const warnedLength = 3

/** The row of identical calls that the last call of the run belongs to. */
export interface CallRow {
  readonly last: ToolCall | undefined
  readonly length: number
}

export const noCalls: CallRow = { last: undefined, length: 0 }

export interface CountedCalls {
  readonly row: CallRow
  /** The longest row that one of the calls belongs to; 0 without calls. */
  readonly longest: number
  /** One for each row that has reached the length to warn of. */
  readonly warnings: readonly AgentEvent[]
}

/** Adds a turn's calls to the row. */
export function countCalls(row: CallRow, calls: readonly ToolCall[]): CountedCalls {
  const warnings: AgentEvent[] = []
  let { last, length } = row
  let longest = 0
  for (const call of calls) {
    length = last !== undefined && isSame(last, call) ? length + 1 : 1
    last = call
    longest = Math.max(longest, length)
    if (length === warnedLength) warnings.push(warningOf(call))
  }
  return { row: { last, length }, longest, warnings }
}

/** Arguments that are not JSON are compared as text. */
function isSame(left: ToolCall, right: ToolCall): boolean {
  return (
    left.name === right.name &&
    left.argumentsText === right.argumentsText &&
    isSameJson(left.arguments, right.arguments)
  )
}

function warningOf({ name }: ToolCall): AgentEvent {
  return {
    type: 'warning',
    code: 'same_call_repeated',
    message: `The model has called ${name} ${warnedLength} times in a row with the same arguments`,
    context: { toolName: name, times: warnedLength },
    recoverable: true,
  }
}
