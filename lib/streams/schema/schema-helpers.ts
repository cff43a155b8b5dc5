// Helpers that write schemas in the forms that every provider's schema subset accepts.
import { Type } from '@sinclair/typebox'
import type { TUnsafe, TLiteral, TObject, TProperties, Static, TSchema } from '@sinclair/typebox'

/**
 * `stringEnum(['a', 'b'])` has the static type `'a' | 'b'` and the JSON Schema `{type: 'string', enum: ['a', 'b']}`.
 */
export function stringEnum<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string; default?: Values[number] } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })
}

// The type of an object schema with a literal `type` field, which discriminates events and commands.

export type NamedObject<Name extends string, Properties> = Properties extends TProperties
  ? TObject<Properties & { type: TLiteral<Name> }>
  : never

/**
 * The schema of a string or an integer, limits included, that also accepts null: one type list, so that a check gives
 * one reason.
 */
export function nullable<Schema extends TSchema & { readonly type: 'string' | 'integer' }>(
  schema: Schema,
): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

/**
 * `taggedUnion<Content>('type', ['TextContent', 'ImageContent'])`: exactly one of the schemas with these `$id`s, each
 * of which requires a literal of its own in `tag`. The check reads `tag` and then runs one schema, so an error concerns
 * only that one.
 */
export function taggedUnion<Value>(
  tag: 'type' | 'role',
  ids: readonly string[],
  options: { readonly $id?: string } = {},
): TUnsafe<Value> {
  const oneOf: TSchema[] = ids.map((id) => Type.Ref(id))
  return Type.Unsafe<Value>({ ...options, type: 'object', discriminator: { propertyName: tag }, oneOf })
}
