// Stop rules: predicates over the finished turn that end a run.
// Guarantees: `agent_end.stopRule` is the name of the rule that matched.
import type { AgentEvent, TerminationReason } from '../../streams/events/event.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'
import type { AssistantMessage, Usage } from '../../streams/messages/message.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { FinishedTurn, StopRule } from '../../streams/ports/hooks.ts'

/** Ends the run after `limit` turns that would go on. */
export function maxTurns(limit: number): StopRule {
  return { name: 'maxTurns', matches: ({ turns }) => turns >= limit }
}

export interface Budget {
  /** All tokens of the run. Default: no limit. */
  readonly tokens?: number
  /** US dollars of the run. Default: no limit. */
  readonly usd?: number
  /**
   * Effect of a limit in USD if tokens have no price: `end` ends the run with a coded error, `warn` goes on with a warning.
   * Default `end`; with a limit of tokens too: `warn`, for the tokens are still counted.
   */
  readonly unpriced?: 'end' | 'warn'
}

/**
 * Ends the run as `budget_exceeded` when it has used this many tokens or USD. The session prices tokens by the model's prices.
 * Without prices it ends the run with `bad_request`; if an answer reports no tokens, or none reports anything, a warning says so.
 */
export function spent({ tokens, usd, unpriced = tokens === undefined ? 'end' : 'warn' }: Budget): StopRule {
  return {
    name: 'spent',
    reason: 'budget_exceeded',
    matches: ({ usage, message }) => {
      if (tokens !== undefined && usage.totalTokens >= tokens) return true
      if (usd === undefined) return false
      if (usage.cost !== 'unknown') return usage.cost.total >= usd
      if (unpriced === 'end' && hasUsage(message)) throw new Failure('bad_request', unknownCost(usd, message))
      return false
    },
    cannotTell: ({ usage, message }) => {
      if (usd === undefined) return undefined
      if (usage.cost === 'unknown') return unknownCost(usd, message)
      return isUncounted(usage, message) ? nothingReported(usd, message) : undefined
    },
  }
}

function unknownCost(usd: number, message: AssistantMessage | undefined): string {
  const model = message === undefined ? 'the model' : `${message.provider}/${message.model}`
  const unknown = `the cost of ${model} is unknown, so the limit of ${usd} USD cannot be applied`
  return hasUsage(message)
    ? `${unknown}; set its prices in models.json, or a limit of tokens or turns`
    : `${unknown}: the answer reported no usable count of tokens; set a limit of turns`
}

/** Whether the provider has sent an answer, and none of the run's answers has a count: it may not be free. */
function isUncounted({ totalTokens, cost }: Usage, message: AssistantMessage | undefined): message is AssistantMessage {
  if (message === undefined || message.content.length === 0 || hasUsage(message)) return false
  if (message.stopReason === 'error' || message.stopReason === 'aborted') return false
  return totalTokens === 0 && cost !== 'unknown' && cost.total === 0
}

function nothingReported(usd: number, { provider, model }: AssistantMessage): string {
  const silence = `no answer of ${provider}/${model} reported tokens or a cost, so the limit of ${usd} USD counts 0`
  return `${silence}; if its answers are not free, let its provider report tokens, or set a limit of turns`
}

/** Whether the answer reported tokens: without them, prices would not help. */
function hasUsage(message: AssistantMessage | undefined): boolean {
  if (message === undefined) return true
  const { input, output, cacheRead, cacheWrite } = message.usage
  return input + output + cacheRead + cacheWrite > 0
}

/** Ends the run after a turn that called the tool. */
export function calledTool(name: string): StopRule {
  return {
    name: 'calledTool',
    matches: ({ message }) => innerCalls(message?.content ?? []).some((call) => call.name === name),
  }
}

/** Ends the run when the same tool was called with the same arguments `times` (default 3) times in a row, over its turns. */
export function sameCallRepeated(times = 3): StopRule {
  return { name: 'sameCallRepeated', matches: ({ sameCalls }) => sameCalls >= times }
}

/** The end of a run, as `agent_end` carries it. */
export interface RunEnd {
  readonly terminationReason: TerminationReason
  readonly stopRule?: string
  readonly failure?: Failure
}

/** The end of the run by the first rule that matches; a rule that throws ends it as an error. */
export function endByRules(rules: readonly StopRule[], turn: FinishedTurn): RunEnd | undefined {
  for (const rule of rules) {
    try {
      if (rule.matches(turn)) return { terminationReason: rule.reason ?? 'stopped', stopRule: rule.name }
    } catch (error) {
      const { code, message: reason } = Failure.from(error)
      const message = `The stop rule ${rule.name} failed: ${reason}`
      return { terminationReason: 'error', failure: new Failure(code, message, { cause: error }) }
    }
  }
  return undefined
}

/** A rule that cannot apply its limit, such as a budget in USD without prices, and the warning that says why. */
export interface UnpricedBudget {
  readonly rule: StopRule
  readonly warning: AgentEvent
}

/** The rules that cannot decide whether they match, without those that the run has warned of before. */
export function unpricedBudgets(
  rules: readonly StopRule[],
  turn: FinishedTurn,
  warned: readonly StopRule[],
): readonly UnpricedBudget[] {
  return rules.flatMap((rule) => {
    const reason = warned.includes(rule) ? undefined : unknownReason(rule, turn)
    return reason === undefined ? [] : [{ rule, warning: warningOf(rule, reason) }]
  })
}

function unknownReason(rule: StopRule, turn: FinishedTurn): string | undefined {
  try {
    const reason = rule.cannotTell?.(turn)
    return reason === undefined ? undefined : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
  } catch (error) {
    return `The stop rule ${rule.name} may not end this run: ${Failure.from(error).message}`
  }
}

function warningOf({ name }: StopRule, message: string): AgentEvent {
  return { type: 'warning', code: 'stop_rule_blind', message, context: { stopRule: name }, recoverable: true }
}
