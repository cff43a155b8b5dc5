// Finds the secrets in a request, so that no error message repeats them.
import { Failure } from '../../streams/values/failure.ts'

const publicHeader =
  /^(?:accept(?:-.*)?|anthropic-(?:beta|version|dangerous-.*)|cache-control|connection|content-.*|date|host|http-referer|origin|referer|user-agent|x-goog-api-client|x-stainless-.*|x-title|openai-(?:beta|organization|project)|x-goog-user-project)$/i
const secretHeader = /auth|key|token|secret|cookie|password/i
/** A shorter value would match parts of ordinary words. */
const minimumLength = 4
/** The same for a header whose name does not suggest a secret: its value may be an ordinary word. */
const minimumUnnamedLength = 8

/** True for headers whose values are never secret, such as `user-agent`. */
export function isPublicHeader(name: string): boolean {
  return publicHeader.test(name)
}

/** Returns the values of headers that may be secret, without `Bearer`. */
export function headerSecrets(headers: Iterable<readonly [name: string, value: string]>): string[] {
  return [...headers].flatMap(([name, value]) => {
    if (isPublicHeader(name)) return []
    const secret = withoutScheme(value)
    return secret.length >= (secretHeader.test(name) ? minimumLength : minimumUnnamedLength) ? [secret] : []
  })
}

/** Returns the value of a header without `Bearer`, `Basic` or `Token`. */
export function withoutScheme(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token) /i, '')
}

/** Returns the values of a URL's query that may be secret. */
export function urlSecrets(url: URL): string[] {
  return [...url.searchParams.values()].filter((value) => value.length >= minimumUnnamedLength)
}

/**
 * Returns the key. The platform's own error would contain an invalid key.
 * @throws Failure kind `auth` if the key is empty or contains a space or a control character
 */
export function sendableKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  const message = 'The API key is empty or holds a space, a line break or another character that no key has.'
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}
