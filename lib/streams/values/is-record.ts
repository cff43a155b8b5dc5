// A value from outside has fields only where it is an object of its own: neither null nor a list.

/** True for objects, but for arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
