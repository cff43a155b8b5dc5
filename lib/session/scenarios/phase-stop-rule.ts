// Builds the stop rule of a run from the phase that holds when a turn ends.
import type { FinishedTurn, StopRule } from '../../operators/ports/run-ports.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { PhaseStop, ScenarioPhase } from '../../streams/ports/scenarios.ts'

interface Totals {
  readonly turns: number
  readonly tokens: number
  readonly usd: number
}

const nothing: Totals = { turns: 0, tokens: 0, usd: 0 }

/** Counts from the beginning of the run or of the phase, whichever is later. Of one run alone: it holds its counts. */
export function phaseStopRule(current: () => ScenarioPhase | undefined): StopRule {
  let phase: ScenarioPhase | undefined
  let base = nothing
  let last = nothing
  return {
    name: 'phase',
    matches: (turn) => {
      const now = current()
      if (now !== phase) base = last
      phase = now
      last = totalsOf(turn)
      return now?.stop !== undefined && isReached(now.stop, turn, base)
    },
  }
}

function totalsOf({ turns, usage }: FinishedTurn): Totals {
  return { turns, tokens: usage.totalTokens, usd: usage.cost === 'unknown' ? 0 : usage.cost.total }
}

function isReached({ turns, tokens, usd, tools = [] }: PhaseStop, turn: FinishedTurn, base: Totals): boolean {
  const now = totalsOf(turn)
  const reaches = (limit: number | undefined, spent: number): boolean => limit !== undefined && spent >= limit
  return (
    reaches(turns, now.turns - base.turns) ||
    reaches(tokens, now.tokens - base.tokens) ||
    reaches(usd, now.usd - base.usd) ||
    innerCalls(turn.message?.content ?? []).some(({ name }) => tools.includes(name))
  )
}
