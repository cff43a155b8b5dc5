// A scripted provider for tests, embedding and offline work; RxJS is its only clock.
import { NEVER, concat, concatMap, defer, from, map, take, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Provider, ProviderRequest } from '../../streams/ports/provider.ts'
import type { ScriptedAnswer, ScriptedError } from '../../streams/config/script-file.ts'
import { scriptedDeltas } from './message-deltas.ts'
import type { Model } from '../../streams/models/model.ts'

/**
 * A reply: a text, an answer as data, exact deltas (taken one by one from an iterable), `{ deltas$ }` with an
 * Observable of them, such as a cold marble, or a Failure.
 */
export type ScriptedReply =
  | string
  | ScriptedAnswer
  | Iterable<AssistantDelta>
  | { readonly deltas$: Observable<AssistantDelta> }
  | Failure

/** Creates the reply to a request; `number` counts this provider's requests from 1. */
export type ScriptedFunction = (request: ProviderRequest, number: number) => ScriptedReply

/** A Provider that records its requests. */
export interface ScriptedProvider extends Provider {
  /** Every request so far, in order of subscription; `messages` is a copy of the list at that moment. */
  readonly requests: readonly ProviderRequest[]
}

/**
 * `scripted(['Hello', { toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }, (request) => …])`, or one function
 * for all requests. Each subscription takes the next reply; a request past the last one fails with kind `bad_request`.
 *
 * Cold; everything without a delay is emitted synchronously. Delays are RxJS timers, so that virtual time drives them;
 * with `pieceDelayMs` only the pieces of text, thinking and arguments are delayed: what opens or closes a block comes
 * with them.
 */
export function scripted(script: readonly (ScriptedReply | ScriptedFunction)[] | ScriptedFunction): ScriptedProvider {
  const requests: ProviderRequest[] = []
  const provider: Provider = (request) =>
    defer(() => {
      const number = requests.push({ ...request, messages: request.messages.slice() })
      const next = typeof script === 'function' ? script : script[number - 1]
      if (next === undefined) return throwError(() => exhausted(script.length, number))
      return replyDeltas(typeof next === 'function' ? next(request, number) : next, request, number)
    })
  return Object.assign(provider, { requests })
}

function exhausted(answers: number, number: number): Failure {
  const message = `The script has ${answers} answers and this is request ${number}: add an answer for it.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

function replyDeltas(reply: ScriptedReply, request: ProviderRequest, number: number): Observable<AssistantDelta> {
  if (reply instanceof Failure) return throwError(() => reply)
  if (typeof reply === 'string') return from(scriptedDeltas({ text: reply }, request, number))
  if (Symbol.iterator in reply) return from(reply)
  if ('deltas$' in reply) return reply.deltas$
  return answerDeltas(reply, request, number)
}

function answerDeltas(answer: ScriptedAnswer, request: ProviderRequest, number: number): Observable<AssistantDelta> {
  const { delayMs = 0, pieceDelayMs = 0, error, end } = answer
  const deltas = scriptedDeltas(answer, request, number)
  const delta$ = delayMs === 0 && pieceDelayMs === 0 ? from(deltas) : withDelays(deltas, delayMs, pieceDelayMs)
  if (error !== undefined)
    return concat(
      delta$,
      throwError(() => toFailure(error)),
    )
  return end === 'never' ? concat(delta$, NEVER) : delta$
}

/** Emits one group of deltas a tick, the first after `delayMs`; completes with the last group. */
function withDelays(
  deltas: Iterable<AssistantDelta>,
  delayMs: number,
  pieceDelayMs: number,
): Observable<AssistantDelta> {
  const groups = groupedByPiece(deltas)
  if (pieceDelayMs === 0) return timer(delayMs).pipe(concatMap(() => groups.flat()))
  return timer(delayMs, pieceDelayMs).pipe(
    take(groups.length),
    map((tick) => groups[tick] ?? []),
    concatMap((group) => group),
  )
}

/**
 * Each group contains one piece. The start of its block precedes it; the end of the last block and `done` are in the
 * last group.
 */
function groupedByPiece(deltas: Iterable<AssistantDelta>): AssistantDelta[][] {
  const groups: AssistantDelta[][] = []
  let opened: AssistantDelta[] = []
  for (const delta of deltas) {
    opened.push(delta)
    if (!delta.type.endsWith('_delta')) continue
    groups.push(opened)
    opened = []
  }
  const last = groups.pop() ?? []
  return [...groups, [...last, ...opened]]
}

function toFailure({ kind, message, status, retryAfterMs }: ScriptedError): Failure {
  return new Failure('provider_error', message ?? `The script says that this request fails (${kind}).`, {
    data: {
      kind,
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  })
}

/** The descriptor of a scripted provider, `scripted/scripted`: text and images, thinking, free of charge. */
export const scriptedModel: Model = {
  id: 'scripted',
  provider: 'scripted',
  api: 'scripted',
  contextWindow: 200_000,
  maxOutput: 32_000,
  inputs: ['text', 'image'],
  reasoning: true,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
}
