// A union of objects told apart by one literal field is checked by looking at that field and then at one of them only.
import { Type } from '@sinclair/typebox'
import type { TSchema, TUnsafe } from '@sinclair/typebox'

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
