// Sends a request to a custom API and emits the deltas of its response.
//
// The declaration's functions build the request; sending, decoding and failures are rxpi's own.
import { defer } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { findJsonProblem } from '../../streams/values/json.ts'
import type { Provider, ProviderRequest } from '../../streams/ports/provider.ts'
import { customDecoder } from './custom-decoder.ts'
import { guardedFetch } from '../http/guarded-fetch.ts'
import type { KindOf } from '../http/provider-failure.ts'
import type { AnyDeclaration, WireRequest } from './provider-declaration.ts'
import { sdkResponse } from '../adapter/sdk-response.ts'
import type { EndpointOptions } from '../adapter/sdk-response.ts'
import { sendableKey } from '../http/request-secrets.ts'
import { sendForBytes } from '../http/event-stream-bytes.ts'
import { wellFormedHistory } from '../adapter/well-formed-history.ts'

export interface CustomResponseOptions extends EndpointOptions {
  readonly declaration: AnyDeclaration
}

/** If a function of the declaration throws, the request fails with kind `bad_request` and the function's name. */
export function customResponse({ declaration, ...endpoint }: CustomResponseOptions): Provider {
  const { provider, headers = {} } = endpoint
  const kindOf = kindFunction(declaration)
  return (request) =>
    defer(() => {
      const built = wireRequest(declaration, request)
      const url = addressOf(built.path ?? '', endpoint)
      const body = textOf(built.body, provider)
      const own = headersOf({ ...headers, ...built.headers }, provider)
      let isWhole = false
      return sdkResponse({
        ...endpoint,
        bytes: (key) =>
          sendForBytes(provider, async (signal) => {
            const secrets = key === undefined ? [] : [key]
            const response = await guardedFetch(provider, endpoint.fetch, { kindOf, secrets })(url, {
              method: 'POST',
              headers: { ...usualHeaders, ...own, ...authHeader(declaration, key) },
              body,
              signal,
            })
            isWhole = /^application\/json\b/i.test(response.headers.get('content-type') ?? '')
            return response
          }),
        makeDecoder: (context) => (emit) =>
          customDecoder(
            { model: request.model, context: { ...context, kindOf }, parser: () => parserOf(declaration, isWhole) },
            emit,
          ),
      })
    })
}

const usualHeaders = {
  accept: 'text/event-stream, application/json',
  'content-type': 'application/json',
  'user-agent': 'rxpi',
}

function wireRequest(declaration: AnyDeclaration, request: ProviderRequest): WireRequest {
  let built: unknown
  try {
    built = declaration.buildRequest({ ...request, messages: wellFormedHistory(request.messages) })
  } catch (thrown) {
    throw declarationFailure(declaration.name, `buildRequest threw: ${describeThrown(thrown)}`, thrown)
  }
  if (typeof built !== 'object' || built === null)
    throw declarationFailure(declaration.name, 'buildRequest returned no request')
  return built as WireRequest // each field is checked where it is used
}

/** A key goes only to its own address. */
function addressOf(path: string, { provider, baseUrl }: EndpointOptions): URL {
  const base = new URL(baseUrl)
  const folder = base.pathname.replace(/\/*$/, '')
  const [plain = '', query] = path.replace(/^\/+/, '').split(/\?(.*)/s, 2)
  const target = new URL(base)
  if (plain !== '') target.pathname = `${folder}/${plain}`
  if (query !== undefined) target.search = query
  if (target.pathname === base.pathname || target.pathname.startsWith(`${folder}/`)) return target
  throw declarationFailure(
    provider,
    `buildRequest returned the path "${path}", which leaves ${base.origin}${base.pathname}`,
  )
}

function authHeader({ auth }: AnyDeclaration, key: string | undefined): Readonly<Record<string, string>> {
  if (auth === undefined || key === undefined) return {}
  const { header = 'authorization', prefix = header.toLowerCase() === 'authorization' ? 'Bearer ' : '' } = auth
  return { [header]: `${prefix}${sendableKey(key)}` }
}

function textOf(body: unknown, provider: string): string {
  if (typeof body === 'string') return body
  if (body === undefined) throw declarationFailure(provider, 'buildRequest returned no body')
  const problem = findJsonProblem(body)
  if (problem !== undefined)
    throw declarationFailure(provider, `buildRequest returned a body that is not JSON: ${problem}`)
  return JSON.stringify(body)
}

/** Refuses an invalid header: the platform's error would count as a broken connection and be retried. */
function headersOf(headers: Readonly<Record<string, string>>, provider: string): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers))
  } catch (thrown) {
    throw declarationFailure(
      provider,
      `buildRequest returned headers that cannot be sent: ${describeThrown(thrown)}`,
      thrown,
    )
  }
}

function parserOf(declaration: AnyDeclaration, whole: boolean) {
  const name = whole ? 'parseResponse' : 'parseStreamChunk'
  const received = whole ? 'answered with a whole JSON document' : 'answered with a stream of events'
  return {
    name: `${name} of the provider ${declaration.name}`,
    whole,
    parse: (value: unknown, event: string | undefined): unknown => {
      if (declaration[name] === undefined)
        throw declarationFailure(declaration.name, `it ${received}, but has no ${name}`)
      return whole ? declaration.parseResponse?.(value as never) : declaration.parseStreamChunk?.(value as never, event)
    },
  }
}

function kindFunction({ name, errorMap }: AnyDeclaration): KindOf {
  if (errorMap === undefined) return () => undefined
  if (typeof errorMap !== 'function') {
    return ({ code, status }) => {
      const key = [code, String(status)].find((each) => each !== undefined && Object.hasOwn(errorMap, each))
      return key === undefined ? undefined : errorMap[key]
    }
  }
  return (error) => {
    try {
      return errorMap(error)
    } catch (thrown) {
      throw declarationFailure(name, `errorMap threw: ${describeThrown(thrown)}`, thrown)
    }
  }
}

function declarationFailure(provider: string, fault: string, cause?: unknown): Failure {
  return new Failure('provider_error', `The declaration of the provider ${provider}: ${fault}.`, {
    data: { kind: 'bad_request' },
    cause,
  })
}
