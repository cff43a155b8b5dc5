// Keeps the latest messages that fit a limit.
// Guarantees: the rest can be sent. It begins with a user message, and every tool result has its call.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message } from '../../streams/messages/message.ts'
import { contextCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { changeMessages, requireCount } from './change-messages.ts'

export interface KeepRecentOptions {
  /** Estimated tokens of the remaining messages, without system prompt and tools. Default no limit. */
  readonly tokens?: number
  /** Number of remaining messages. Default no limit. */
  readonly messages?: number
}

/**
 * Keeps the latest messages that fit both limits and leaves out those before them. An exchange, from one user message
 * to the next, stays or goes whole. Only the newest is cut, if it alone is too long: then the last user message stays
 * with as many of the latest turns (an answer and its tool results) as fit. The last user message and the last turn
 * always stay, even if they exceed the limits.
 *
 * `tokenEstimate` estimates the tokens: the operator remembers how many characters it passed on for the last answer,
 * and that answer's usage shows the tokens a character. Put operators that shorten messages before it, those that add
 * some after.
 *
 * Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is not a count
 */
export function keepRecent({ tokens, messages: count }: KeepRecentOptions): ContextTransform {
  requireCount('keepRecent: tokens', tokens)
  requireCount('keepRecent: messages', count)
  /** Characters passed on, by the last message of the context that they were taken from. */
  const passedOn = new WeakMap<Message, number>()
  return changeMessages((messages, context) => {
    const estimate = tokens === undefined ? countNothing : tokenEstimate(context, passedOn)
    const latest = selectLatest(messages, { tokens: tokens ?? Infinity, messages: count ?? Infinity, estimate })
    const last = messages.at(-1)
    if (tokens !== undefined && last !== undefined) {
      passedOn.set(last, contextCharacters({ ...context, messages: latest }))
    }
    return latest
  })
}

interface Limits {
  readonly tokens: number
  readonly messages: number
  estimate(message: Message): number
}

function countNothing(): number {
  return 0
}

function selectLatest(messages: readonly Message[], limits: Limits): readonly Message[] {
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user')
  const { start, userStart } = findStart(messages, lastUserIndex, limits)
  if (start === 0 || start === messages.length) return messages
  if (start <= lastUserIndex) return userStart === 0 ? messages : messages.slice(userStart ?? start)
  if (lastUserIndex === 0 && start === 1) return messages
  return [...messages.slice(lastUserIndex, lastUserIndex + 1), ...messages.slice(start)]
}

/**
 * The earliest index to cut at so that the rest fits beside the last user message (`question`; -1 = none), and the
 * earliest such index of a user message. The length if no cut is possible.
 */
function findStart(messages: readonly Message[], question: number, { tokens, messages: count, estimate }: Limits) {
  const lastUserMessage = messages[question]
  let tokensLeft = tokens - (lastUserMessage === undefined ? 0 : estimate(lastUserMessage))
  let countLeft = count - (lastUserMessage === undefined ? 0 : 1)
  let start = messages.length
  let userStart: number | undefined
  /** True between a tool result and the answer that called it: here no cut is possible. */
  let isOpen = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined) break
    if (index !== question) {
      tokensLeft -= estimate(message)
      countLeft -= 1
    }
    if (start < messages.length && (tokensLeft < 0 || countLeft < 0)) break
    if (message.role === 'toolResult') isOpen = true
    else if (message.role === 'assistant') isOpen = false
    if (isOpen) continue
    start = index
    if (message.role === 'user') userStart = index
  }
  return { start, userStart }
}
