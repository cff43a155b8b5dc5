// Continues an answer that the Messages API paused with another request.
//
// Guarantees: the content so far goes back as the API sent it; the parts are one answer, whose usage is their sum.
import { concat, defer, EMPTY, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages/messages'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AnthropicMessagesBody } from './anthropic-messages-request.ts'

/** An answer whose last response ended with `pause_turn`. */
export interface PausedAnswer {
  /** The blocks of all responses so far, as the API sent them. */
  readonly content: readonly Readonly<Record<string, unknown>>[]
  /** The id of the container that the next request names. */
  readonly container?: string
  /** The index of the next block that the answer emits. */
  readonly nextIndex: number
  /** The sum of all responses so far. */
  readonly usage: Usage
}

/** Returns the body that continues the answer: the same request, with the content so far as its last message. */
export function resumptionBody(
  body: AnthropicMessagesBody,
  { content, container }: Pick<PausedAnswer, 'content' | 'container'>,
): AnthropicMessagesBody {
  const blocks = content as readonly object[] as ContentBlockParam[] // the API takes back the blocks that it sent
  const answer = blocks.length === 0 ? [] : [{ role: 'assistant' as const, content: blocks }]
  return { ...body, messages: [...body.messages, ...answer], ...(container === undefined ? {} : { container }) }
}

/** The API pauses after about ten calls of its tools: one answer may have over a hundred. */
const maxResumptions = 10

/** Sends one request of the answer. Calls `onPause`, and emits no `done`, if the response pauses. */
export type SendPart = (
  earlier: PausedAnswer | undefined,
  onPause: (paused: PausedAnswer) => void,
) => Observable<AssistantDelta>

/**
 * Sends the first request, and another one after each response that pauses. Fails with kind `bad_request`, after the
 * usage, if the answer pauses more than ten times. Unsubscribing ends the request that is open, and sends no other.
 */
export function resumePauses(provider: string, send: SendPart): Observable<AssistantDelta> {
  const part$ = (earlier: PausedAnswer | undefined, left: number): Observable<AssistantDelta> =>
    defer(() => {
      let paused: PausedAnswer | undefined
      const response$ = send(earlier, (answer) => {
        paused = answer
      })
      const rest$ = defer(() => {
        if (paused === undefined) return EMPTY
        return left > 0 ? part$(paused, left - 1) : failWithUsage(paused.usage, provider)
      })
      return concat(response$, rest$)
    })
  return part$(undefined, maxResumptions)
}

function failWithUsage(usage: Usage, provider: string): Observable<AssistantDelta> {
  const failure$ = defer((): Observable<never> => {
    throw pauseFailure(
      `${provider} paused its answer more than ${maxResumptions} times: its own tools run on and on. Ask for less at once.`,
    )
  })
  return concat(of<AssistantDelta>({ type: 'usage', usage }), failure$)
}

/** The failure of a pause after more text than is held for a continuation. */
export function tooLongToContinue(provider: string): Failure {
  return pauseFailure(`${provider} paused its answer after too much text to continue it. Ask for less at once.`)
}

/** Not retried: the same request would pause again. */
function pauseFailure(message: string): Failure {
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}
