// Checks a value that a person wrote: drops unknown keys, and reports each with the nearest known key.
// Guarantees: every other fault is refused as by `createCheck`; the value itself stays unchanged.
import type { TSchema } from '@sinclair/typebox'
import { isRecord } from '../values/json.ts'
import { nearestName } from '../values/nearest-name.ts'
import { describeProblem } from './compiled-validator.ts'
import type { Checked, CompiledValidator } from './compiled-validator.ts'

/** A key that its object cannot have. */
export interface UnknownKey {
  /** The keys and positions of the objects around it, from the outside. */
  readonly path: readonly string[]
  readonly key: string
  /** The known key that it resembles, if there is one. */
  readonly near?: string
}

export interface LenientValue<Value> {
  /** The value without its unknown keys. */
  readonly value: Value
  readonly unknown: readonly UnknownKey[]
}

export interface LenientSchema {
  readonly schema: TSchema
  /** The schemas that it refers to, by `$id`. */
  readonly references?: Readonly<Record<string, TSchema>>
}

/** A file with more unknown keys than this is refused: it is meant for something else. */
const maxUnknown = 100

/** @param validator compiled from the schema, whose static type `Value` is; its objects are closed */
export function createLenientCheck<Value>(
  validator: CompiledValidator,
  known: LenientSchema,
): (value: unknown) => Checked<LenientValue<Value>> {
  return (written) => {
    const value = structuredClone(written)
    const unknown: UnknownKey[] = []
    while (!validator(value)) {
      const found = unknownKey(validator, known)
      if (found === undefined || unknown.length === maxUnknown || !removeKey(value, found)) {
        return { ok: false, problem: describeProblem(validator) }
      }
      unknown.push(found)
    }
    return { ok: true, value: { value: value as Value, unknown } } // the schema's own static type
  }
}

/** `providers.work.models[0]`; '' for the whole. */
export function keyPath(path: readonly string[]): string {
  return path.reduce((before, key) => {
    if (/^\d+$/.test(key)) return `${before}[${key}]`
    const shown = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key)
    return before === '' ? shown : `${before}.${shown}`
  }, '')
}

function unknownKey({ errors }: CompiledValidator, known: LenientSchema): UnknownKey | undefined {
  const error = errors?.[0]
  const key = error?.params?.['additionalProperty']
  if (error?.keyword !== 'additionalProperties' || typeof key !== 'string') return undefined
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const near = nearestName(key, knownKeys(path, known))
  return { path, key, ...(near === undefined ? {} : { near }) }
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

function removeKey(value: unknown, { path, key }: UnknownKey): boolean {
  const holder = path.reduce<unknown>(
    (outer, part) => (isRecord(outer) || Array.isArray(outer) ? Reflect.get(outer, part) : undefined),
    value,
  )
  return isRecord(holder) && Reflect.deleteProperty(holder, key)
}

// The known keys of an object are found in the schema that describes it.

function knownKeys(path: readonly string[], { schema, references = {} }: LenientSchema): readonly string[] {
  let here: TSchema | undefined = schema
  for (const part of path) here = here && childSchema(resolveReference(here, references), part)
  const properties: unknown = here && resolveReference(here, references)['properties']
  return isRecord(properties) ? Object.keys(properties) : []
}

function resolveReference(schema: TSchema, references: Readonly<Record<string, TSchema>>): TSchema {
  const name: unknown = schema['$ref']
  return (typeof name === 'string' ? references[name] : undefined) ?? schema
}

function childSchema(schema: TSchema, part: string): TSchema | undefined {
  const { properties, patternProperties, items } = schema as {
    readonly properties?: Record<string, TSchema>
    readonly patternProperties?: Record<string, TSchema>
    readonly items?: TSchema
  }
  return properties?.[part] ?? Object.values(patternProperties ?? {})[0] ?? items
}
