// A value that may be null is one type list in the schema, so that its check has one reason to give and not one for each side.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'

/** The schema of a string or a number, its limits kept, that takes null as well. */
export function nullable<Schema extends TSchema & { readonly type: 'string' | 'integer' }>(
  schema: Schema,
): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}
