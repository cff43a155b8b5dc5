// Reads fields of parsed JSON without trusting their types.

/** Returns the text, or '' for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a count of tokens, or 0 for any other value. */
export function tokenCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Returns the object with all fields optional and unknown, or an empty object for any other value. */
export function objectOf<Shape extends { readonly [Key in keyof Shape]?: unknown }>(value: unknown): Partial<Shape> {
  return typeof value === 'object' && value !== null ? value : {}
}

/** Returns the object's fields, or none for any other value. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** True for objects and arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
