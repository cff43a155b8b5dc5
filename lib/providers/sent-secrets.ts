// What was sent to prove who asks is known by the names of its headers, so that no answer that repeats it is shown as it is.

const provesWhoAsks = /auth|key|token|secret|cookie|password/i
/** Anything shorter would be cut out of words that have nothing to do with it. */
const shortest = 4

/** The values of such headers, without `Bearer`. */
export function sentSecrets(headers: Iterable<readonly [name: string, value: string]>): string[] {
  return [...headers].flatMap(([name, value]) => {
    const secret = value.replace(/^(?:Bearer|Basic|Token) /i, '')
    return provesWhoAsks.test(name) && secret.length >= shortest ? [secret] : []
  })
}
