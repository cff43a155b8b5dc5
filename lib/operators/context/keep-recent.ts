// What is kept can always be sent: it begins with what a user said, and every tool result has its call.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message } from '../../streams/messages/message.ts'
import { contextCharacters, tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { changeMessages } from './change-messages.ts'
import { requireCount } from './change-messages.ts'

export interface KeepRecentOptions {
  /** Of the messages kept, without system prompt and tools; estimated. Default no limit. */
  readonly tokens?: number
  /** Messages kept. Default no limit. */
  readonly messages?: number
}

/**
 * Keeps the latest messages that fit both limits and leaves out those before them. What begins with a user message stays or
 * goes whole; only the newest is cut within, where it alone is too long: then the last user message stays with as many of
 * the latest turns (an answer and its tool results) as fit. The last user message and the last turn stay in any case, also
 * where they exceed the limits.
 *
 * Tokens are estimated by `tokenEstimate`: the operator remembers how much it passed on for the last answer and sees from
 * that answer's usage what a character costs. Put what shortens messages before it and what adds some behind it.
 *
 * Ends and fails with its source; buffers nothing.
 * @throws Failure `bad_request` for an option that is no count
 */
export function keepRecent({ tokens, messages: count }: KeepRecentOptions): ContextTransform {
  requireCount('keepRecent: tokens', tokens)
  requireCount('keepRecent: messages', count)
  /** Characters passed on, by the last message of the context that they were taken from. */
  const passedOn = new WeakMap<Message, number>()
  return changeMessages((messages, context) => {
    const estimate = tokens === undefined ? noCost : tokenEstimate(context, passedOn)
    const kept = recent(messages, { tokens: tokens ?? Infinity, messages: count ?? Infinity, estimate })
    const last = messages.at(-1)
    if (tokens !== undefined && last !== undefined) {
      passedOn.set(last, contextCharacters({ ...context, messages: kept }))
    }
    return kept
  })
}

interface Limits {
  readonly tokens: number
  readonly messages: number
  estimate(message: Message): number
}

function noCost(): number {
  return 0
}

function recent(messages: readonly Message[], limits: Limits): readonly Message[] {
  const question = messages.findLastIndex(({ role }) => role === 'user')
  const { start, userStart } = fittingStart(messages, question, limits)
  if (start === 0 || start === messages.length) return messages
  if (start <= question) return userStart === 0 ? messages : messages.slice(userStart ?? start)
  if (question === 0 && start === 1) return messages
  return [...messages.slice(question, question + 1), ...messages.slice(start)]
}

/**
 * The earliest place to cut at whose rest fits beside the last user message (`question`; -1 = none), and the earliest such
 * place that is a user message. The length where no cut is possible.
 */
function fittingStart(messages: readonly Message[], question: number, { tokens, messages: count, estimate }: Limits) {
  const asked = messages[question]
  let tokensLeft = tokens - (asked === undefined ? 0 : estimate(asked))
  let countLeft = count - (asked === undefined ? 0 : 1)
  let start = messages.length
  let userStart: number | undefined
  /** A result was seen whose answer was not: here no cut is possible. */
  let open = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (message === undefined) break
    if (index !== question) {
      tokensLeft -= estimate(message)
      countLeft -= 1
    }
    if (start < messages.length && (tokensLeft < 0 || countLeft < 0)) break
    if (message.role === 'toolResult') open = true
    else if (message.role === 'assistant') open = false
    if (open) continue
    start = index
    if (message.role === 'user') userStart = index
  }
  return { start, userStart }
}
