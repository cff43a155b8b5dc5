// A stop rule that cannot see what it is to stop at says so once, so that nobody relies on it.
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FinishedTurn, StopRule } from '../ports/run-ports.ts'

export interface BlindRules {
  /** After each turn. */
  look(turn: FinishedTurn): void
  /** The next warning that is due, once for each rule; undefined where all were told. */
  warning(): AgentEvent | undefined
}

/** Of one run. Keeps which rules were told of. */
export function blindRules(rules: readonly StopRule[]): BlindRules {
  const told = new Set<StopRule>()
  const due: AgentEvent[] = []
  return {
    look: (turn) => {
      for (const rule of rules) {
        const why = told.has(rule) ? undefined : whyBlind(rule, turn)
        if (why === undefined) continue
        told.add(rule)
        due.push(warningOf(rule, why))
      }
    },
    warning: () => due.shift(),
  }
}

function whyBlind(rule: StopRule, turn: FinishedTurn): string | undefined {
  try {
    return rule.cannotTell?.(turn)
  } catch (error) {
    return Failure.from(error).message
  }
}

function warningOf({ name }: StopRule, why: string): AgentEvent {
  const message = `The stop rule ${name} may not end this run: ${why}`
  return { type: 'warning', code: 'stop_rule_blind', message, context: { stopRule: name }, recoverable: true }
}
