// Counts the tokens of a context: the provider's last usage, and an estimate for what follows it.
import type { AgentContext } from '../../streams/ports/agent-context.ts'
import { contextCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'
import type { ContextEntry } from '../../streams/state/context-messages.ts'
import type { Message, Usage } from '../../streams/messages/message.ts'

/** A context as its entries. */
export interface EntryContext extends Pick<AgentContext, 'system' | 'tools'> {
  readonly entries: readonly ContextEntry[]
}

export interface ContextTokens {
  /** System prompt, tools and all messages. */
  readonly total: number
  /** System prompt and tools alone: always an estimate. */
  readonly base: number
  tokensOf(message: Message): number
}

/**
 * The tokens of the next request. The usage of an answer counts if nothing before it has changed since: no compaction
 * and no edit. Without such an answer everything is estimated. Images have one price each.
 */
export function contextTokens({ system, tools, entries }: EntryContext): ContextTokens {
  const at = lastCountedAnswer(entries)
  const messages = entries.map(({ message }) => message)
  const estimate = tokenEstimate({ system, tools, messages: messages.slice(0, at + 1) })
  const base = estimateBase({ system, tools }, estimate)
  const counted = messages[at]
  const known = counted?.role === 'assistant' ? answeredTokens(counted.usage) : base
  const rest = messages.slice(at + 1).reduce((sum, message) => sum + estimate(message), 0)
  return { total: known + rest, base, tokensOf: estimate }
}

/** Prompt and answer: both are in the next request. */
export function answeredTokens({ input, cacheRead, cacheWrite, output }: Usage): number {
  return input + cacheRead + cacheWrite + output
}

/** -1 if there is none. */
function lastCountedAnswer(entries: readonly ContextEntry[]): number {
  let found = -1
  let newest = 0
  let index = 0
  for (const { message, seq, kind } of entries) {
    const isAnswer = message.role === 'assistant' && kind === 'entry' && promptTokens(message.usage) > 0
    if (isAnswer && newest < seq) found = index
    if (newest < seq) newest = seq
    index += 1
  }
  return found
}

function promptTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite
}

function estimateBase(
  { system, tools }: Pick<AgentContext, 'system' | 'tools'>,
  estimate: (message: Message) => number,
): number {
  const asMessage = (bytes: number): Message => ({
    role: 'user',
    content: [{ type: 'text', text: '', bytes }],
    timestamp: 0,
  })
  return estimate(asMessage(contextCharacters({ system, tools, messages: [] }))) - estimate(asMessage(0))
}
