// Reads the body of the proxy's response as text; a response of another kind is a typed failure.
import { Failure, failureTable, providerFailureKinds } from '../../streams/values/failure.ts'
import type { FailureData, ProviderFailureKind } from '../../streams/values/failure.ts'
import { readProviderError, providerFailure, withoutSecrets } from '../http/provider-failure.ts'
import { retryAfterMs } from '../http/guarded-fetch.ts'
import { isObject, recordOf } from '../http/json-field.ts'

const longestErrorBody = 64 * 1024

/**
 * Yields chunks of UTF-8 text as they arrive. An early return cancels the body. Rejects with a Failure
 * `provider_error`, whose message contains none of `secrets`.
 */
export async function* proxyResponse(
  provider: string,
  response: Response,
  secrets: readonly string[],
): AsyncGenerator<string> {
  if (isRedirect(response)) throw redirected(provider, response)
  if (!response.ok) throw await refusal(provider, response, secrets)
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/x-ndjson') {
    await response.body?.cancel()
    const message = `${provider} answered with content of type "${type}": check its url, it is that of rxpi serve --proxy.`
    throw new Failure('provider_error', message, { data: { kind: 'bad_request' } })
  }
  yield* textOf(response)
}

/** Reads by hand: the streams of some browsers are not iterable. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } finally {
    await reader.cancel()
  }
}

/** Browsers hide the target of a redirect. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

function redirected(provider: string, { status }: Response): Failure {
  const message = `${provider} redirects elsewhere, which rxpi does not follow: set the url of the proxy itself.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request', ...(status > 0 ? { status } : {}) } })
}

async function refusal(provider: string, response: Response, secrets: readonly string[]): Promise<Failure> {
  let text = ''
  for await (const piece of textOf(response)) {
    text += piece
    if (text.length > longestErrorBody) break
  }
  const { status, statusText, headers } = response
  const body = parsed(text)
  const failure = failureOf(body['error'], secrets)
  if (failure !== undefined) return failure
  const wait = retryAfterMs(headers)
  const error = readProviderError(body) ?? { message: text.trim() || statusText }
  return providerFailure(error, { provider, secrets, status, ...(wait === undefined ? {} : { retryAfterMs: wait }) })
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return {} // no JSON: the server is not the proxy
  }
}

/** Returns the failure in a line or a body of the proxy; undefined if the value is none. */
export function failureOf(value: unknown, secrets: readonly string[] = []): Failure | undefined {
  const { code, message, data } = recordOf(value)
  if (typeof code !== 'string' || !Object.hasOwn(failureTable, code) || typeof message !== 'string') return undefined
  const failure: FailureData = isObject(data) ? data : {}
  const kind = providerFailureKinds.find((each) => each === failure.kind) ?? kindOfCode(code)
  return new Failure('provider_error', withoutSecrets(message, secrets), { data: { ...failure, kind } })
}

/** The kinds of the proxy's own failures. */
function kindOfCode(code: string): ProviderFailureKind {
  if (code === 'not_allowed') return 'auth'
  return code === 'overloaded' || code === 'internal' ? 'overloaded' : 'bad_request'
}
