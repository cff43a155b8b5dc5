// A union of literals is emitted as one `enum` of strings: the form every provider's schema subset accepts.
import { Type } from '@sinclair/typebox'
import type { TUnsafe } from '@sinclair/typebox'

/** `stringEnum(['a', 'b'])` has the static type `'a' | 'b'` and the JSON Schema `{type: 'string', enum: ['a', 'b']}`. */
export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })
}
