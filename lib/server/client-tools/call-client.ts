// Calls a client for something that it offers; the call ends in time, or when the client leaves.
import { identity, map, merge, mergeMap, take, tap, throwError, timeout } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { ChannelCalls } from './channel-calls.ts'

export interface ClientCalls {
  readonly session: string
  readonly calls: Pick<ChannelCalls, 'call'>
  /** Emits when the client has left the session; if it replays, nothing is sent afterwards. */
  readonly left$: Observable<unknown>
  /** Called when a call is not answered in time. */
  onLate(): void
}

export interface ClientCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly toolCallId?: string
  /** Milliseconds within which the client answers. Default: none. */
  readonly limitMs?: number
}

/** Emits the answer once, an error result too. Fails with `timeout` or `disconnected`; unsubscribing cancels the call. */
export function callClient(
  { limitMs, ...call }: ClientCall,
  { session, calls, left$, onLate }: ClientCalls,
): Observable<ToolResult> {
  const lateFailure = (): Error =>
    new Failure('timeout', `the client did not answer within ${(limitMs ?? 0) / 1_000} s`)
  const end$ = left$.pipe(mergeMap(() => throwError(() => new Failure('disconnected', 'the client left the session'))))
  return merge(end$, calls.call({ session, ...call })).pipe(
    take(1),
    limitMs === undefined
      ? identity
      : timeout({ first: limitMs, with: () => throwError(() => lateFailure()).pipe(tap({ error: onLate })) }),
  )
}

/** @throws Failure with the client's words for an error */
export function checkAnswer({ isError, content }: ToolResult): void {
  if (isError !== true) return
  const words = content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  throw new Failure('internal', `the client answered with an error: ${words.slice(0, 500)}`)
}

/** Emits nothing, and fails with the client's words for an error. */
export function confirmed(answer$: Observable<ToolResult>): Observable<void> {
  return answer$.pipe(map(checkAnswer))
}

/** The text of an answer. @throws Failure `bad_request` for an answer that is something else */
export function answerText({ content }: ToolResult): string {
  const texts = content.map((part) => (part.type === 'text' ? part.text : undefined))
  if (texts.some((each) => each === undefined))
    throw new Failure('bad_request', 'the client answered with something else than text')
  return texts.join('')
}
