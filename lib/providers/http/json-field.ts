// What comes over a wire is taken for nothing until it was looked at; these look at it.

/** The text, or '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A count of tokens, or 0 for anything else. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** A shape whose fields are all optional and unknown fits every object; anything else is an empty one. */
export function objectOf<Shape extends { readonly [Key in keyof Shape]?: unknown }>(value: unknown): Partial<Shape> {
  return typeof value === 'object' && value !== null ? value : {}
}

/** Its fields by name; anything that is no object has none. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** True for objects and arrays. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
