// Answers one HTTP request of the proxy: admits and reads it, asks the provider, streams the response.
// Guarantees: every failure has a code; the provider's request ends with the client's.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { catchError, defer, map, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { findJsonProblem } from '../../streams/values/json.ts'
import type { ProviderModel, ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import { notADelta } from '../../streams/messages/delta.ts'
import { checkProxyDelta } from '../../streams/validation/check-proxy-delta.ts'
import { admitRequest } from './admit-request.ts'
import { commonHeaders, refuse, respond, untilClosed } from '../http/answer-json.ts'
import type { AdmissionRules } from '../http/admit-head.ts'
import type { ProxyRequest } from './proxy-schemas.ts'
import { readProxyRequest } from './read-proxy-request.ts'
import { sendDeltas } from './send-deltas.ts'
import type { SendOptions } from './send-deltas.ts'

export interface ExchangeOptions extends SendOptions {
  readonly rules: AdmissionRules
  /** Finds a model and its provider by name; fails with a Failure if there is none. */
  find(name: string): Observable<ProviderModel>
  /** False if the limit of concurrent responses is reached. */
  hasRoom(): boolean
}

/** Completes when the exchange is over; unsubscribing ends it. */
export function answerExchange(
  incoming: IncomingMessage,
  response: ServerResponse,
  options: ExchangeOptions,
): Observable<never> {
  const { method = '', url: target = '', headers } = incoming
  const admission = admitRequest({ method, target, headers }, options.rules)
  const { cors } = admission
  const answer$ = defer(() => {
    if (admission.ok === 'preflight') return respond(response, 204, cors)
    if (!admission.ok) return refuse(response, admission.failure, cors, admission.status)
    if (!options.hasRoom()) return refuse(response, tooMany(), { ...cors, 'retry-after': '1' })
    return readProxyRequest(incoming).pipe(
      mergeMap((request) =>
        options.find(request.model).pipe(
          take(1),
          mergeMap((found) => {
            response.writeHead(200, {
              ...commonHeaders,
              ...cors,
              'content-type': 'application/x-ndjson; charset=utf-8',
            })
            response.flushHeaders()
            return sendDeltas(requestDeltas(found, request), response, options)
          }),
        ),
      ),
    )
  })
  return untilClosed(
    answer$.pipe(catchError((error: unknown) => refuse(response, Failure.from(error), cors))),
    response,
  )
}

function requestDeltas(
  { model, provider }: ProviderModel,
  { tools, ...fields }: ProxyRequest,
): Observable<AssistantDelta> {
  // the provider checks that the parameters are a schema
  const request = { ...fields, tools: tools as unknown as readonly ToolDefinition[], model } as ProviderRequest
  return defer(() => provider(request)).pipe(map(checkDelta))
}

/** Checks the deltas of a custom provider: one that cannot be a line would end the process. */
function checkDelta(delta: AssistantDelta): AssistantDelta {
  const checked = checkProxyDelta(delta)
  if (!checked.ok) throw notADelta(delta, checked.problem)
  const problem = delta.type === 'toolcall_end' ? findJsonProblem(delta.arguments) : undefined
  if (problem !== undefined) throw notADelta(delta, `/arguments: ${problem}`)
  return delta
}

function tooMany(): Failure {
  return new Failure('overloaded', 'The proxy has reached its limit of concurrent responses; try again in a second.')
}
