// Compares two requests field by field, and lists the fields in which they differ.
import { isRecord } from '../../../../lib/streams/values/json.ts'
import type { RecordedRequest } from './conversations.ts'

/** Each as `field: pi's value -> rxpi's value`, `-` for none. */
export function differencesOf(pi: RecordedRequest, own: RecordedRequest): string[] {
  const theirs = flat(pi)
  const ours = flat(own)
  return [...new Set([...theirs.keys(), ...ours.keys()])]
    .filter((field) => theirs.get(field) !== ours.get(field))
    .map((field) => `${field}: ${theirs.get(field) ?? '-'} -> ${ours.get(field) ?? '-'}`)
}

/** The leaves of a value by their paths. */
function flat(value: unknown, path = ''): Map<string, string> {
  const at = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item: unknown, index) => [index, item])
    : isRecord(value)
      ? Object.entries(value)
      : []
  if (entries.length === 0) return new Map([[path, JSON.stringify(value)]])
  return new Map(entries.flatMap(([key, item]) => [...flat(item, at(key))]))
}
