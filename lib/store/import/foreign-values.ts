// Parses a foreign line to a plain object or a reason.
// Guarantees: no value reaches a prototype or overflows the stack.

/** Any JSON object. */
export type ForeignObject = Readonly<Record<string, unknown>>

export type ForeignResult =
  | { readonly ok: true; readonly value: ForeignObject; readonly removed: number }
  /** As in `it is not JSON`. */
  | { readonly ok: false; readonly problem: string }

/** Stands for bytes that are not UTF-8. */
export const replacement = '\uFFFD'

/** Parses one line. `removed` counts the properties called `__proto__`, which are dropped. */
export function foreignObject(text: string): ForeignResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, problem: text.includes(replacement) ? 'it is not UTF-8' : 'it is not JSON' }
  }
  if (!isForeignObject(value)) return { ok: false, problem: 'it is JSON, but not an object' }
  const removed = cleanValue(value)
  if (removed === undefined) return { ok: false, problem: `it is nested more than ${maxDepth} levels deep` }
  return { ok: true, value, removed }
}

/** True for an object that is not an array. */
export function isForeignObject(value: unknown): value is ForeignObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Unix milliseconds of an ISO 8601 text or a number, as other formats store times; undefined for anything else, an
 * invalid time, and one before 1970.
 */
export function foreignTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && time >= 0 && time <= 8.64e15 ? time : undefined
}

// Bounds the depth of foreign values, because JSON.stringify recurses, and drops properties that could replace a
// prototype.

/** Accepted nesting depth; no message has a tenth of it. */
export const maxDepth = 256

/**
 * Removes every property called `__proto__` in place and returns their number; undefined if the value is nested more
 * than 256 levels deep. Does not recurse.
 */
export function cleanValue(root: object): number | undefined {
  let removed = 0
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return undefined
    const next: object[] = []
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__') && Reflect.deleteProperty(value, '__proto__')) removed += 1
      for (const inner of Object.values(value) as unknown[]) {
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
  return removed
}

/** Shortens a foreign value for a message to people: its JSON, at most 60 characters; `none` if there is no value. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
