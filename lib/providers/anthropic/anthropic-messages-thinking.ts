// How much a model is asked to think, in the words of the Messages API.
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import type { ThinkingLevel } from '../../streams/models/thinking-level.ts'
import type { AnthropicMessagesCompat } from './anthropic-messages-compat.ts'
import type { MessageOfBlocks } from './anthropic-messages-history.ts'

/** The fields of a request that ask for thinking, or say that there shall be none. */
export interface AskedThinking extends Pick<MessageCreateParamsStreaming, 'output_config'> {
  readonly thinking?: MessageCreateParamsStreaming['thinking'] & {
    readonly block_binding?: { readonly prefix_mismatch_behavior: 'drop_block' }
  }
}

/** The least budget that the API takes, and the least that is left to the answer beside it. */
const least = 1024

/**
 * Nothing for models that do not reason. A budget is cut to what `maxTokens` leaves; where that is too little, or where the
 * answer whose tools have just run does not begin with thinking of this model's own, it does not think this time.
 */
export function anthropicMessagesThinking(
  { model, thinkingLevel }: ProviderRequest,
  compat: AnthropicMessagesCompat,
  { messages, maxTokens }: { readonly messages: readonly MessageOfBlocks[]; readonly maxTokens: number },
): AskedThinking {
  if (!model.reasoning) return {}
  if (compat.thinking === 'adaptive') return adaptive(thinkingLevel, compat)
  const budget = thinkingLevel === 'off' ? 0 : Math.min(compat.budgets[thinkingLevel], maxTokens - least)
  if (budget >= least && mayThink(messages)) return { thinking: { type: 'enabled', budget_tokens: budget } }
  return without(compat)
}

function adaptive(level: ThinkingLevel, compat: AnthropicMessagesCompat): AskedThinking {
  const effort = compat.effort[level]
  const asked = effort === undefined ? {} : { output_config: { effort } }
  if (level === 'off' && compat.withoutThinking !== 'never') return { ...without(compat), ...asked }
  const binding = compat.boundThinking ? { block_binding: { prefix_mismatch_behavior: 'drop_block' as const } } : {}
  return { thinking: { type: 'adaptive', display: 'summarized', ...binding }, ...asked }
}

function without({ withoutThinking }: AnthropicMessagesCompat): AskedThinking {
  return withoutThinking === 'omit' || withoutThinking === 'never' ? {} : { thinking: { type: withoutThinking } }
}

/** In the middle of a tool run the API wants the answer with the calls to begin with its thinking. */
function mayThink(messages: readonly MessageOfBlocks[]): boolean {
  const [answer, last] = messages.slice(-2)
  if (answer?.role !== 'assistant' || last?.content.some(({ type }) => type === 'tool_result') !== true) return true
  const first = answer.content[0]?.type
  return first === 'thinking' || first === 'redacted_thinking'
}
