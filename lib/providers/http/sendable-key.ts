// A key that cannot be a header is refused before the platform would show it in an error of its own.
import { Failure } from '../../streams/values/failure.ts'

/** The key itself. @throws Failure kind `auth` where it is empty or holds a space or a control character */
export function sendableKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  const message = 'The API key is empty or holds a space, a line break or another character that no key has.'
  throw new Failure('provider_error', message, { data: { kind: 'auth' } })
}
