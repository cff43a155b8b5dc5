// A line from elsewhere becomes a plain object, or a reason; nothing in it can reach a prototype or overflow a stack.
import { isUtf8 } from 'node:buffer'
import { cleanValue, deepest } from './clean-value.ts'

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
