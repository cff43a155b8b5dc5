// What was sent to prove who asks is known by the values themselves, so that no answer that repeats it is shown as it is.
import { Failure } from '../../streams/values/failure.ts'

/** Headers whose values are no secret, whoever sets them. */
const publicHeader =
  /^(?:accept(?:-.*)?|anthropic-(?:beta|version|dangerous-.*)|cache-control|connection|content-.*|date|host|http-referer|origin|referer|user-agent|x-goog-api-client|x-stainless-.*|x-title|openai-(?:beta|organization|project)|x-goog-user-project)$/i
const secretHeader = /auth|key|token|secret|cookie|password/i
/** Anything shorter would be cut out of words that have nothing to do with it … */
const minimumLength = 4
/** … and of a header whose name says nothing, it may be a word of people's own. */
const minimumUnnamedLength = 8

/** The values of headers that may be secret, without `Bearer` … */
export function headerSecrets(headers: Iterable<readonly [name: string, value: string]>): string[] {
  return [...headers].flatMap(([name, value]) => {
    if (publicHeader.test(name)) return []
    const secret = value.replace(/^(?:Bearer|Basic|Token) /i, '')
    return secret.length >= (secretHeader.test(name) ? minimumLength : minimumUnnamedLength) ? [secret] : []
  })
}

/** … and those of an address's query. */
export function urlSecrets(url: URL): string[] {
  return [...url.searchParams.values()].filter((value) => value.length >= minimumUnnamedLength)
}

// A key that cannot be a header is refused before the platform would show it in an error of its own.

/** The key itself. @throws Failure kind `auth` where it is empty or holds a space or a control character */
export function sendableKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  const message = 'The API key is empty or holds a space, a line break or another character that no key has.'
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}
