// A union of literals is emitted as one `enum` of strings: the form every provider's schema subset accepts.
import { Type } from '@sinclair/typebox'
import type { TUnsafe, TLiteral, TObject, TProperties, Static, TSchema } from '@sinclair/typebox'

/** `stringEnum(['a', 'b'])` has the static type `'a' | 'b'` and the JSON Schema `{type: 'string', enum: ['a', 'b']}`. */
export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })
}

// The type of an object schema with a literal `type` field: how events and commands are told apart.

export type NamedObject<Name extends string, Properties> = Properties extends TProperties
  ? TObject<Properties & { type: TLiteral<Name> }>
  : never

// A value that may be null is one type list in the schema, so that its check has one reason to give and not one for each side.

/** The schema of a string or a number, its limits kept, that takes null as well. */
export function nullable<Schema extends TSchema & { readonly type: 'string' | 'integer' }>(
  schema: Schema,
): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

// A union of objects told apart by one literal field is checked by looking at that field and then at one of them only.

/**
 * `taggedUnion<Content>('type', ['TextContent', 'ImageContent'])`: exactly one of the schemas with these `$id`s, each of
 * which requires `tag` to be a literal of its own. What does not fit is said of the one that was meant, not of all.
 */
export function taggedUnion<Value>(
  tag: 'type' | 'role',
  ids: readonly string[],
  options: { readonly $id?: string } = {},
): TUnsafe<Value> {
  const oneOf: TSchema[] = ids.map((id) => Type.Ref(id))
  return Type.Unsafe<Value>({ ...options, type: 'object', discriminator: { propertyName: tag }, oneOf })
}
