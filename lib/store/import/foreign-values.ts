// A line from elsewhere becomes a plain object, or a reason; nothing in it can reach a prototype or overflow a stack.
import { isUtf8 } from 'node:buffer'

/** Any JSON object. */
export type ForeignObject = Readonly<Record<string, unknown>>

export type ForeignResult =
  | { readonly ok: true; readonly value: ForeignObject; readonly removed: number }
  /** As in `it is not JSON`. */
  | { readonly ok: false; readonly problem: string }

/** Parses one line. `removed` counts properties called `__proto__`, which are left out. */
export function foreignObject(bytes: Buffer): ForeignResult {
  if (!isUtf8(bytes)) return { ok: false, problem: 'it is not UTF-8' }
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return { ok: false, problem: 'it is not JSON' }
  }
  if (!isForeignObject(value)) return { ok: false, problem: 'it is JSON, but no object' }
  const removed = cleanValue(value)
  if (removed === undefined) return { ok: false, problem: `it is nested more than ${deepest} levels deep` }
  return { ok: true, value, removed }
}

/** True for an object that is no list. */
export function isForeignObject(value: unknown): value is ForeignObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// Times of other formats are texts or numbers; what is no time after 1970 is none.

/** Unix milliseconds of an ISO 8601 text or a number; undefined for anything else. */
export function foreignTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && time >= 0 && time <= 8.64e15 ? time : undefined
}

// A value from elsewhere is bounded in depth, because JSON.stringify recurses, and has no property that could be taken for a prototype.

/** Levels of nesting that are still taken: no message has a tenth of it. */
export const deepest = 256

/**
 * Removes every property called `__proto__`, in place, and says how many there were; undefined where the value is nested
 * more than 256 levels deep. Needs no recursion.
 */
export function cleanValue(root: object): number | undefined {
  let removed = 0
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return undefined
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

// A value of a foreign file is quoted shortly where a person is told of it.

/** Its JSON, at most 60 characters of it; `none` where there is no value. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'none'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
