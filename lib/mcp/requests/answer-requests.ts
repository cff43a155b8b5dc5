// Answers what a server asks of its client: questions, roots, samples; and notes its log messages.
// Guarantees: a request is answered by the session whose call is open, or declined; no request waits in a queue.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import type { Client, ElicitResult } from '@modelcontextprotocol/client'
import { EMPTY, catchError, defer, finalize, firstValueFrom, merge, of, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { McpOpenCall, McpRequestRouter } from '../contract/mcp-requests.ts'
import type { McpServer } from '../contract/mcp-server.ts'
import { describingLine } from '../content/foreign-text.ts'
import { answerElicitation } from './answer-elicitation.ts'
import { answerSampling } from './answer-sampling.ts'
import { listRoots } from './list-roots.ts'

export interface RequestOptions {
  readonly server: Pick<McpServer, 'name' | 'sampling'>
  readonly router: McpRequestRouter
  /** Takes one line of the server's log. */
  onLog(line: string): void
}

/** Questions and samples of one server that wait at a time. */
const maxWaiting = 8
const maxLogBytes = 2_048
/** Of JSON-RPC: the person refused, or no client could ask. */
const refusedCode = -1

/**
 * Registers the answers before the client connects. Both revisions of the protocol come here: the client answers the `input_required`
 * results of the newer one by the same handlers.
 */
export function answerRequests(client: Client, { server, router, onLog }: RequestOptions): void {
  const hold$ = holdWithCalls$(router)
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) => {
    const call = router.current()
    if (call === undefined) return { action: 'decline' }
    const answer$ = answerElicitation(params, { server: server.name, ...call }).pipe(
      catchError((error: unknown) => {
        onLog(`A question could not be shown: ${describeThrown(error)}`)
        return of<ElicitResult>({ action: 'cancel' })
      }),
    )
    return firstValueFrom(hold$(answer$, { call, signal }), { defaultValue: { action: 'cancel' } })
  })
  client.setRequestHandler('roots/list', () => listRoots(router.roots()))
  if (server.sampling) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq: { signal } }) => {
      const call = router.current()
      const { sample } = call?.ports ?? {}
      if (call === undefined || sample === undefined) throw refusal('No call is open whose session may answer.')
      const answer$ = answerSampling(params, { server: server.name, sample }).pipe(
        catchError((error: unknown) => {
          const failure = Failure.from(error)
          if (failure.code === 'not_allowed') return EMPTY
          onLog(`A sample failed: ${failure.message}`) // not for the server: it may be about a key
          throw refusal('The model gave no answer.')
        }),
      )
      const answer = await firstValueFrom(hold$(answer$, { call, signal }), { defaultValue: undefined })
      if (answer === undefined) throw refusal('The person refused.')
      return answer
    })
  }
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    onLog(describingLine(`${level}${logger === undefined ? '' : ` ${logger}`}: ${text}`, maxLogBytes))
  })
}

function refusal(message: string): ProtocolError {
  return new ProtocolError(refusedCode, message)
}

/** Either ends the request. */
interface Until {
  readonly call: McpOpenCall
  /** Of the server's request. */
  readonly signal: AbortSignal
}

/**
 * The clock of the open calls stands still while an answer is waited for. The Observable completes with the request and with the call.
 * It throws a ProtocolError if too many wait.
 */
function holdWithCalls$(
  router: McpRequestRouter,
): <Answer>(answer$: Observable<Answer>, until: Until) => Observable<Answer> {
  let waiting = 0
  return (answer$, { call: { ended$ }, signal }) => {
    if (waiting >= maxWaiting) {
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `${maxWaiting} requests of this server are waiting already.`,
      )
    }
    return defer(() => {
      waiting += 1
      const resume = router.pause()
      return answer$.pipe(
        takeUntil(merge(fromSignal(signal), ended$)),
        finalize(() => {
          waiting -= 1
          resume()
        }),
      )
    })
  }
}
