// A model that calls the same tool with the same arguments again and again is going round in circles: the row is counted.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ToolCall } from '../../streams/messages/message.ts'
import { isSameJson } from '../../streams/values/json.ts'

/** From this many identical calls in a row on, once a row, a `warning` event is told. */
export const sameCallsWarned = 3

export interface SameCalls {
  /** Counts a turn's calls in; the longest row that one of them is part of, 0 without calls. */
  count(calls: readonly ToolCall[]): number
  /** The next warning for a row that has become long enough, once for each row; undefined where all were told. */
  warning(): AgentEvent | undefined
}

/** Counts over the turns of one run. Keeps the last call. */
export function sameCalls(): SameCalls {
  let last: ToolCall | undefined
  let row = 0
  const due: AgentEvent[] = []
  return {
    count: (calls) => {
      let longest = 0
      for (const call of calls) {
        row = last !== undefined && isSame(last, call) ? row + 1 : 1
        last = call
        longest = Math.max(longest, row)
        if (row === sameCallsWarned) due.push(warningOf(call))
      }
      return longest
    },
    warning: () => due.shift(),
  }
}

/** Arguments that were no JSON stand as text. */
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
    message: `The model has called ${name} ${sameCallsWarned} times in a row with the same arguments`,
    context: { toolName: name, times: sameCallsWarned },
    recoverable: true,
  }
}
