// Replaces the older messages of a request by a summary; the session keeps them.
import { defaultIfEmpty, defer, filter, map, of, switchMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { messageText } from '../../streams/messages/message-text.ts'
import type { Message } from '../../streams/messages/message.ts'
import { isSummary } from '../../streams/ports/agent-context.ts'
import type { AgentContext, ContextTransform, Summariser } from '../../streams/ports/agent-context.ts'
import { tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { summaryMessage } from '../../streams/state/context-messages.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface SummariseOlderOptions {
  /** Writes the summary: `modelSummariser(…)`, or a function of your own. */
  readonly summariser: Summariser
  /** Estimated tokens of the messages above which the older ones are summarised. */
  readonly tokens: number
  /** Estimated tokens of the latest messages that stay; at least the last exchange does. Default: half of `tokens`. */
  readonly keepTokens?: number
}

/** The messages up to `last`, in one text. */
interface Summarised {
  readonly last: Message
  readonly text: string
  readonly message: Message
}

/**
 * If the messages are longer than `tokens`, one user message with a summary stands for the older ones. An exchange,
 * from one user message to the next, is summarised whole or not at all. The summary is made once and then stands in
 * each request; when it and what follows are too long again, the summariser gets the messages since, and the summary as
 * `previous`. A context without the last summarised message (another branch) begins anew.
 *
 * The session and its log keep every message, and the usage of the summary counts for no budget; `compact` of a session
 * does that. Put transforms that add messages after it.
 *
 * Waits for the summary before each request that needs a new one. A summariser that completes without a summary, or
 * with an empty one, leaves the messages as they are. Ends with its source and fails with it or with the summariser,
 * which ends the turn. Buffers one summary; a context that arrives while another waits replaces it; on unsubscribe the
 * summary is cancelled.
 * @throws Failure `bad_request` for tokens that are no such limit
 */
export function summariseOlder(options: SummariseOlderOptions): ContextTransform {
  const { summariser, tokens, keepTokens = tokens / 2 } = options
  if (!(tokens > 0 && keepTokens > 0 && keepTokens <= tokens)) {
    const both = `tokens is ${tokens} and keepTokens ${keepTokens}`
    throw new Failure('bad_request', `summariseOlder: ${both}; give numbers above 0, keepTokens at most tokens`)
  }
  let done: Summarised | undefined
  return switchMap((context) => {
    const { messages, rest } = applySummary(context, done)
    const shortened = rest === context.messages ? context : { ...context, messages }
    const from = messages.length - rest.length
    const cut = findCut({ ...context, messages }, { tokens, keepTokens, from })
    const older = messages.slice(from, cut)
    const last = older.at(-1)
    if (last === undefined) return of(shortened)
    const previous = rest === context.messages ? undefined : done?.text
    return summarise(summariser, older, previous).pipe(
      map((text) => {
        if (text === '') return shortened
        done = { last, text, message: asMessage(text, last) }
        return { ...context, messages: [done.message, ...messages.slice(cut)] }
      }),
    )
  })
}

/** The messages with the summary in place, and those after it; `rest` is the list itself without one. */
function applySummary({ messages }: AgentContext, done: Summarised | undefined) {
  const at = done === undefined ? -1 : indexOfSame(messages, done.last)
  if (done === undefined || at < 0) return { messages, rest: messages }
  const rest = messages.slice(at + 1)
  return { messages: [done.message, ...rest], rest }
}

/** An operator before this one may have made a new object of the message, without its thinking for example. */
function indexOfSame(messages: readonly Message[], last: Message): number {
  const at = messages.lastIndexOf(last)
  if (at >= 0) return at
  const same = messages.flatMap((message, index) => (isSame(message, last) ? [index] : []))
  return same.length === 1 ? (same[0] ?? -1) : -1
}

function isSame(one: Message, other: Message): boolean {
  if (one.role !== other.role || one.timestamp !== other.timestamp) return false
  if (one.role === 'toolResult' && other.role === 'toolResult') return one.toolCallId === other.toolCallId
  return messageText(one) === messageText(other)
}

interface CutLimits {
  readonly tokens: number
  readonly keepTokens: number
  /** The first message that can be summarised. */
  readonly from: number
}

/** The index of the first message that stays: a user message; `from` if nothing is to be summarised. */
function findCut(context: AgentContext, { tokens, keepTokens, from }: CutLimits): number {
  const { messages } = context
  const estimate = tokenEstimate(context)
  let cut = from
  let size = 0
  for (let index = messages.length - 1; index >= from; index -= 1) {
    const message = messages[index]
    if (message === undefined) break
    size += estimate(message)
    // the last exchange stays, however long it is
    if (message.role === 'user' && (cut === from || size <= keepTokens)) cut = index
  }
  const before = messages.slice(0, from).reduce((sum, message) => sum + estimate(message), 0)
  return before + size > tokens ? cut : from
}

/** Emits the summary once; an empty text without one. */
function summarise(
  summariser: Summariser,
  messages: readonly Message[],
  previous: string | undefined,
): Observable<string> {
  const request = {
    messages,
    reason: 'compaction',
    part: 'history',
    ...(previous === undefined ? {} : { previous }),
  } as const
  return defer(() => summariser(request)).pipe(
    filter(isSummary),
    take(1),
    map((summary) => (typeof summary === 'string' ? summary : summary.text).trim()),
    defaultIfEmpty(''),
  )
}

/** With the time of the message before it: the same context is the same each time, for the cache of the provider. */
function asMessage(text: string, { timestamp }: Message): Message {
  return summaryMessage({ event: { type: 'compaction', summary: text }, at: timestamp })
}
