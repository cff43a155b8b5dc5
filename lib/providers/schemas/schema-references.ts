// Gives every reference of a schema the form `#/$defs/NAME`, and collects the schemas that they name.
import { isSchema, mapIn } from './json-schema.ts'
import type { JsonSchema } from './json-schema.ts'

export interface References {
  /** The reference in its new form; undefined if it names nothing, a schema elsewhere, or in the end itself. */
  rewritten(ref: unknown): string | undefined
  /** Takes the next schema that a reference named and that was not taken yet, with its name. */
  take(): readonly [name: string, schema: unknown] | undefined
}

/** @param root the schema, whose references are JSON pointers into it */
export function schemaReferences(root: JsonSchema): References {
  const names = new Map<string, string>()
  const used = new Set<string>()
  const waiting: [string, unknown][] = []
  const taken = new Set([...Object.keys(mapIn(root, '$defs')), ...Object.keys(mapIn(root, 'definitions'))])
  const freshName = (): string => {
    let count = 1
    while (taken.has(`schema${count}`)) count += 1
    taken.add(`schema${count}`)
    return `schema${count}`
  }
  const nameOf = (pointer: string): string => {
    const [, own] = /^#\/(?:\$defs|definitions)\/([A-Za-z0-9_.-]+)$/.exec(pointer) ?? []
    // of `$defs` and `definitions` with one name, the first that is named keeps it
    const name = own === undefined || used.has(own) ? freshName() : own
    used.add(name)
    return name
  }
  return {
    rewritten: (ref) => {
      const target = typeof ref === 'string' ? endOf(root, ref) : undefined
      if (target === undefined) return undefined
      const { pointer, schema } = target
      let name = names.get(pointer)
      if (name === undefined) {
        name = nameOf(pointer)
        names.set(pointer, name)
        waiting.push([name, schema])
      }
      return `#/$defs/${name}`
    },
    take: () => waiting.shift(),
  }
}

/** More hops are a circle, or made to cost time. */
const maxHops = 32

/** Follows schemas that are only a reference themselves. */
function endOf(root: JsonSchema, ref: string): { readonly pointer: string; readonly schema: unknown } | undefined {
  let pointer = ref
  for (let hops = 0; hops < maxHops; hops += 1) {
    const schema = schemaAt(root, pointer)
    if (schema === undefined) return undefined
    const next = isSchema(schema) && Object.keys(schema).length === 1 ? schema['$ref'] : undefined
    if (typeof next !== 'string') return { pointer, schema }
    pointer = next
  }
  return undefined
}

function schemaAt(root: JsonSchema, pointer: string): unknown {
  if (pointer === '#') return root
  if (!pointer.startsWith('#/')) return undefined
  let value: unknown = root
  for (const part of pointer.slice(2).split('/')) {
    const name = decoded(part)
    if (typeof value !== 'object' || value === null || name === undefined || !Object.hasOwn(value, name))
      return undefined
    value = Reflect.get(value, name)
  }
  return typeof value === 'boolean' || isSchema(value) ? value : undefined
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined // no valid URI: the reference names nothing
  }
}
