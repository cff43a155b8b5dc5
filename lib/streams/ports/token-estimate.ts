// Estimates tokens from characters, calibrated by the last answer's usage.
// Tokenizers cost megabytes and fit one model each.
import type { AgentContext } from './agent-context.ts'
import type { Message, Usage } from '../messages/message.ts'
import type { ToolDefinition } from './tool.ts'

/** Characters per token without calibration; English prose has 4 to 5, code about 3, Chinese about 1. */
const charactersPerToken = 4
/** Tokens of an image, whatever its size: between the usual charges for a small and a large one. */
const imageTokens = 1_200
/** Role and separators of a message, in characters. */
const messageOverhead = 16
/** Bounds of tokens per character: a usage outside of them measures something else. */
const lowestRate = 1 / 8
const highestRate = 2

/** A context without its model. */
export type CountedContext = Omit<AgentContext, 'model'> & Partial<Pick<AgentContext, 'model'>>

/** Characters (`contextCharacters`) of the request whose newest message this was; undefined if unknown. */
export interface SentCharacters {
  get(newest: Message): number | undefined
}

/**
 * Returns a function that estimates a message's tokens from its characters and the usage of the last answer that has
 * one (`context.usage`, or the answer's own at a run's start and after a failed answer). All messages have roles that
 * models know.
 *
 * `sent` returns the characters of that answer's request. If it is unknown, all messages before the answer count; a
 * transform may have sent less, so the estimate is then at least characters / 4. Without any usage it is characters /
 * 4.
 */
export function tokenEstimate(context: CountedContext, sent?: SentCharacters): (message: Message) => number {
  const rate = tokensPerCharacter(context, sent)
  return (message) => Math.ceil(messageCharacters(message) * rate)
}

/**
 * UTF-16 units that a model reads: system prompt, tools and messages. Linear in the number of parts, not in their
 * length.
 */
export function contextCharacters({
  system,
  tools,
  messages,
}: Pick<AgentContext, 'system' | 'tools' | 'messages'>): number {
  let sum = system.length
  for (const { name, description, parameters } of tools) sum += valueCharacters([name, description, parameters])
  for (const message of messages) sum += messageCharacters(message)
  return sum
}

const byTool = new WeakMap<ToolDefinition, number>()

/** Estimated tokens of a tool's definition, without calibration; counted once. */
export function toolTokens(tool: ToolDefinition): number {
  const known = byTool.get(tool)
  if (known !== undefined) return known
  const tokens = Math.ceil(contextCharacters({ system: '', tools: [tool], messages: [] }) / charactersPerToken)
  byTool.set(tool, tokens)
  return tokens
}

interface ListCount {
  messages: number
  last: Message | undefined
  characters: number
}

/** By list: a conversation's list grows at its end, so no turn counts it again. */
const counts = new WeakMap<readonly Message[], ListCount>()

/** UTF-16 units of a list of messages that only grows; a list that changed otherwise is counted anew. */
export function growingCharacters(list: readonly Message[]): number {
  const before = counts.get(list)
  const isSame = before !== undefined && before.messages <= list.length && list[before.messages - 1] === before.last
  const count = isSame ? before : { messages: 0, last: undefined, characters: 0 }
  for (; count.messages < list.length; count.messages++) {
    const message = list[count.messages]
    if (message !== undefined) count.characters += messageCharacters(message)
    count.last = message
  }
  counts.set(list, count)
  return count.characters
}

function tokensPerCharacter(context: CountedContext, sent: SentCharacters | undefined): number {
  const plain = 1 / charactersPerToken
  const { answerAt, tokens } = lastCounted(context)
  if (answerAt < 0) return plain
  const newest = context.messages[answerAt - 1]
  const known = newest === undefined ? undefined : sent?.get(newest)
  const characters = known ?? contextCharacters({ ...context, messages: context.messages.slice(0, answerAt) })
  const rate = tokens / Math.max(1, characters)
  return Math.min(highestRate, Math.max(known === undefined ? plain : lowestRate, rate))
}

/** The position of the last answer whose prompt was counted, and its tokens; -1 if there is none. */
function lastCounted({ messages, usage }: CountedContext): { readonly answerAt: number; readonly tokens: number } {
  const last = promptTokens(usage)
  const answerAt = messages.findLastIndex(
    (message) => message.role === 'assistant' && (last > 0 || promptTokens(message.usage) > 0),
  )
  const answer = messages[answerAt]
  return { answerAt, tokens: last > 0 || answer?.role !== 'assistant' ? last : promptTokens(answer.usage) }
}

function promptTokens(usage: Usage | undefined): number {
  return usage === undefined ? 0 : usage.input + usage.cacheRead + usage.cacheWrite
}

function messageCharacters({ content }: Message): number {
  if (typeof content === 'string') return messageOverhead + content.length
  let sum = messageOverhead
  for (const block of content) {
    if (block.type === 'text') sum += block.bytes ?? block.text.length
    else if (block.type === 'thinking') sum += block.thinking.length
    else if (block.type === 'image') sum += imageTokens * charactersPerToken
    else sum += block.name.length + valueCharacters(block.arguments)
  }
  return sum
}

/**
 * Approximate length of its JSON without writing it; a work list instead of recursion, so that nesting has no limit.
 */
function valueCharacters(root: unknown): number {
  const left = [root]
  let sum = 0
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') sum += value.length + 2
    else if (typeof value !== 'object' || value === null) sum += String(value).length
    else {
      for (const [key, item] of Object.entries(value)) {
        sum += Array.isArray(value) ? 1 : key.length + 4
        left.push(item)
      }
      sum += 2
    }
  }
  return sum
}
