// Two commands with one digest asked for the same, whatever order their fields came in.
import { createHash } from 'node:crypto'

/** 16 hex digits of SHA-256 over the command's fields but `type` and `env`: an environment may differ in what does not matter. */
export function commandDigest(command: object): string {
  const fields = Object.entries(command).filter(([name]) => name !== 'type' && name !== 'env')
  return createHash('sha256')
    .update(JSON.stringify(sorted(Object.fromEntries(fields))))
    .digest('hex')
    .slice(0, 16)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  )
}
