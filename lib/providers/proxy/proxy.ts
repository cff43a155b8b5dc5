// A Provider that uses a model through `rxpi serve --proxy`, without vendor key, SDK or Node module.
import { Observable, defer } from 'rxjs'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Provider, ProviderRequest } from '../../streams/ports/provider.ts'
import { earlyEnd } from '../adapter/delta-emitter.ts'
import { thrownFailure } from '../http/provider-failure.ts'
import { proxyResponse, failureOf } from './proxy-response.ts'
import { sendableKey } from '../http/request-secrets.ts'
import { createProxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'
import { checkProxyDelta } from '../../streams/validation/check-proxy-delta.ts'
import { recordOf } from '../http/json-field.ts'

export interface ProxyOptions {
  /** The address of the endpoint: `http://127.0.0.1:8787`. */
  readonly url: string
  /** Its bearer token; a function is called for each request. */
  readonly token: string | (() => string | PromiseLike<string>)
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
}

const name = 'the proxy'

/**
 * Sends each request with the model's name (`provider/id`) to the proxy, and emits the deltas as they arrive.
 * Unsubscribing closes the request, and the proxy closes that to the provider. Fails with the error of the proxy or of
 * its provider, as `provider_error` with its kind; an end without `done` is `early_end`. It follows no redirects, does
 * not retry and has no time limits.
 */
export function proxy(options: ProxyOptions): Provider {
  return (request) =>
    defer(() => {
      const secrets: string[] = []
      return deltasOf(
        fromAbortable((signal) => answerText(options, request, signal, secrets)),
        secrets,
      )
    })
}

async function* answerText(
  { url, token, fetch = globalThis.fetch }: ProxyOptions,
  request: ProviderRequest,
  signal: AbortSignal,
  secrets: string[],
): AsyncGenerator<string> {
  const key = sendableKey(typeof token === 'string' ? token : await token())
  secrets.push(key)
  const response = await fetch(`${url.replace(/\/+$/, '')}/v1/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/x-ndjson' },
    body: JSON.stringify(bodyOf(request)),
    redirect: 'manual',
    signal,
  })
  yield* proxyResponse(name, response, secrets)
}

/** The body: the model's name and the conversation. */
function bodyOf({ model, tools, ...request }: ProviderRequest): object {
  const toolDefinitions = tools.map(({ name: tool, description, parameters }) => ({
    name: tool,
    description,
    parameters,
  }))
  return { ...request, model: modelName(model), tools: toolDefinitions }
}

/** Completes with `done`; does not wait for the rest of the body. */
function deltasOf(text$: Observable<string>, secrets: readonly string[]): Observable<AssistantDelta> {
  return new Observable((subscriber) => {
    const fail = (error: unknown): void => {
      subscriber.error(error instanceof Failure ? error : thrownFailure(error, { provider: name, secrets }))
    }
    const reader = proxyDecoder(name, (delta) => {
      subscriber.next(delta)
      if (delta.type === 'done') subscriber.complete()
    })
    return text$.subscribe({
      next: (text) => {
        try {
          reader.read(text)
        } catch (error) {
          fail(error)
        }
      },
      error: fail,
      complete: () => {
        subscriber.error(earlyEnd(name))
      },
    })
  })
}

/** The longest line of the proxy, in UTF-16 units. */
const longestLine = 16 * 1024 * 1024

export interface ProxyDecoder {
  /** Takes text in chunks and decodes each complete line. @throws Failure `provider_error` */
  read(text: string): void
}

const known: ReadonlySet<string> = new Set<AssistantDelta['type']>([
  'start',
  'text_start',
  'text_delta',
  'text_end',
  'thinking_start',
  'thinking_delta',
  'thinking_end',
  'toolcall_start',
  'toolcall_delta',
  'toolcall_end',
  'usage',
  'warning',
  'done',
])

export function proxyDecoder(provider: string, emit: (delta: AssistantDelta) => void): ProxyDecoder {
  const lines = createProxyLines()
  let begun: string[] = []
  let length = 0
  const take = (line: string): void => {
    if (line.trim() === '') return // a keep-alive
    const delta = deltaOf(provider, line, lines.whole)
    if (delta !== undefined) emit(delta)
  }
  return {
    read: (text) => {
      const [first = '', ...rest] = text.split('\n')
      begun.push(first)
      length += first.length
      for (const next of rest) {
        take(begun.join(''))
        begun = [next]
        length = next.length
      }
      if (length > longestLine) throw broken(`${provider} sent a line of more than 16 Mi characters.`, 'bad_request')
    },
  }
}

function deltaOf(
  provider: string,
  line: string,
  whole: (line: Exclude<ProxyLine, { type: 'failure' }>) => AssistantDelta,
): AssistantDelta | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw broken(`${provider} sent a line that is not JSON; the stream was damaged on the way.`, 'network')
  }
  const { type } = recordOf(value)
  if (type === 'failure') throw failureOf(value) ?? broken(`${provider} failed and did not say how.`, 'network')
  if (typeof type !== 'string' || !known.has(type)) return undefined
  // the arguments of a `toolcall_end` are optional
  const checked = checkProxyDelta(type === 'toolcall_end' ? { arguments: {}, ...recordOf(value) } : value)
  if (!checked.ok) throw broken(`${provider} sent an invalid ${type}: ${checked.problem}.`, 'network')
  return whole(value as Exclude<ProxyLine, { type: 'failure' }>) // checked above
}

function broken(message: string, kind: 'network' | 'bad_request'): Failure {
  return new Failure('provider_error', message, { data: { kind } })
}
