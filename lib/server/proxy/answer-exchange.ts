// Answers one HTTP request of the proxy: admits and reads it, asks the provider, streams the response.
// Guarantees: a request that no rule admits is refused before a byte of its body is read; every failure has a code; the
// provider's request ends with the client's.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { catchError, defer, map, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { Model } from '../../streams/models/model.ts'
import { findJsonProblem } from '../../streams/values/json.ts'
import type { ProviderModel, ProviderRequest } from '../../streams/ports/provider.ts'
import type { ToolDefinition } from '../../streams/ports/tool.ts'
import { notADelta } from '../../streams/messages/delta.ts'
import { checkProxyDelta } from '../../streams/validation/check-proxy-delta.ts'
import { commonHeaders, refuse, respond, untilClosed } from '../http/answer-json.ts'
import { admitHead, refusal, refuseOtherType } from '../http/admit-head.ts'
import type { Admission, AdmissionRules, RequestHead } from '../http/admit-head.ts'
import { readBody } from '../http/read-body.ts'
import { describeProblem } from '../../streams/schema/compiled-validator.ts'
import { ProxyRequest as validate } from './generated/proxy-validators.js'
import type { ProxyRequest } from './proxy-schemas.ts'
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
    return readBody(incoming, parseRequest).pipe(
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

/** The path for POST requests. */
export const streamPath = '/v1/stream'

const words = { name: 'proxy', hostOption: '--proxy-host', originOption: '--proxy-origin' }

/** Decides on the head of a request whether the proxy answers it. */
export function admitRequest({ method, target, headers }: RequestHead, rules: AdmissionRules): Admission {
  const admission = admitHead({ method, headers }, { rules, words, pageHeaders: 'authorization, content-type' })
  if (admission.ok !== true) return admission
  const { cors } = admission
  if (target.split('?')[0] !== streamPath) return refusal(404, `This proxy serves only ${streamPath}.`, cors)
  if (method !== 'POST') return refusal(405, `${streamPath} takes POST only.`, cors)
  return refuseOtherType(headers, streamPath, cors) ?? admission
}

/** @throws Failure `bad_request` that names the field, also an unknown one */
function parseRequest(value: unknown): ProxyRequest {
  if (!validate(value)) throw new Failure('bad_request', `The request is invalid: ${describeProblem(validate)}.`)
  const request = value as ProxyRequest // checked above
  const bare = request.messages.findIndex((message) => message.role === 'toolResult' && !Array.isArray(message.content))
  if (bare === -1) return request
  throw new Failure('bad_request', `The request is invalid: /messages/${bare}/content is missing.`)
}

function requestDeltas(
  { model, provider }: ProviderModel,
  { tools, messages, ...fields }: ProxyRequest,
): Observable<AssistantDelta> {
  const request = {
    ...fields,
    messages: (messages as readonly Message[]).map((message) => withOwnApi(message, model)),
    tools: tools as unknown as readonly ToolDefinition[], // the provider checks that the parameters are a schema
    model,
  } as ProviderRequest
  return defer(() => provider(request)).pipe(map(checkDelta))
}

/** The client's model has the api "proxy"; a provider returns signatures only to the api that made them. */
function withOwnApi(message: Message, { api, provider, id }: Model): Message {
  const isOwn = message.role === 'assistant' && message.provider === provider && message.model === id
  return isOwn && message.api === 'proxy' ? { ...message, api } : message
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
