// A stop rule is a predicate over the finished turn; its name is what `agent_end.stopRule` tells.
import type { StopRule } from '../ports/run-ports.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'

/** Ends the run after `limit` turns that would go on. */
export function maxTurns(limit: number): StopRule {
  return { name: 'maxTurns', matches: ({ turns }) => turns >= limit }
}

/**
 * Ends the run as `budget_exceeded` when it has used as many tokens, or as many USD, as given. What a model without prices
 * costs is not known: from its first answer on the USD are not counted, which is warned of; the tokens are.
 */
export function spent({ tokens, usd }: { readonly tokens?: number; readonly usd?: number }): StopRule {
  return {
    name: 'spent',
    reason: 'budget_exceeded',
    matches: ({ usage }) =>
      (tokens !== undefined && usage.totalTokens >= tokens) ||
      (usd !== undefined && usage.cost !== 'unknown' && usage.cost.total >= usd),
    cannotTell: ({ usage, message }) =>
      usd !== undefined && usage.cost === 'unknown' ? unknownCost(usd, message) : undefined,
  }
}

function unknownCost(usd: number, message: AssistantMessage | undefined): string {
  const model = message === undefined ? 'the model' : `${message.provider}/${message.model}`
  return `what ${model} costs is not known, so that ${usd} USD cannot be counted; set its prices in models.json, or a limit of tokens or turns`
}

/** Ends the run after a turn that called the tool. */
export function calledTool(name: string): StopRule {
  return {
    name: 'calledTool',
    matches: ({ message }) =>
      message?.content.some((block) => block.type === 'toolCall' && block.name === name) === true,
  }
}

/** Ends the run when the same tool was called with the same arguments `times` (default 3) times in a row, over its turns. */
export function sameCallRepeated(times = 3): StopRule {
  return { name: 'sameCallRepeated', matches: ({ sameCalls }) => sameCalls >= times }
}
