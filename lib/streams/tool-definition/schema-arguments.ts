// Infers the arguments of a tool from its schema: TypeBox, a Standard Schema, or JSON Schema.
// Types only: nothing of this file exists at run time.
import type { Static, TObject } from '@sinclair/typebox'
import type { StandardSchema } from './standard-schema.ts'

/** The JSON Schema of an object. TypeBox 1.x makes such schemas too. */
export interface JsonSchemaObject {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly required?: readonly string[] | undefined
  /** A schema of valibot has a `type` too, and is no JSON Schema. */
  readonly '~standard'?: undefined
}

/** The schemas that describe the arguments of a tool. */
export type ToolParameters = TObject | StandardSchema | JsonSchemaObject

/**
 * The arguments that a tool with these parameters receives: those of a Standard Schema after its defaults and
 * transforms.
 */
export type ArgumentsOf<Parameters> = Parameters extends TObject
  ? Static<Parameters>
  : Parameters extends StandardSchema
    ? OutputOf<Parameters>
    : JsonSchemaValue<Parameters>

/** A schema that cannot validate is checked as JSON Schema, so its tool receives the input. */
type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>[Schema['~standard'] extends {
  readonly validate: unknown
}
  ? 'output'
  : 'input']

/** The schema that the tool holds at run time. */
export type HeldSchema<Parameters> = Parameters extends TObject ? Parameters : TObject

/**
 * The values of a JSON Schema. `unknown` for what it does not describe in a way that can be inferred (`$ref`, `not` …).
 */
export type JsonSchemaValue<Schema> = Schema extends { readonly '~unsafe': infer Value } // TypeBox 1.x
  ? Value
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer Branch)[] } | { readonly oneOf: readonly (infer Branch)[] }
        ? JsonSchemaValue<Branch>
        : Schema extends { readonly allOf: infer Parts extends readonly unknown[] }
          ? AllOf<Parts>
          : Schema extends { readonly type: readonly (infer Type)[] }
            ? ValueOfType<Type, Schema>
            : Schema extends { readonly type: infer Type }
              ? ValueOfType<Type, Schema>
              : unknown

type AllOf<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? JsonSchemaValue<First> & AllOf<Rest>
  : unknown

type ValueOfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? ListOf<Schema>
          : Type extends 'object'
            ? ObjectOf<Schema>
            : unknown

type ListOf<Schema> = Schema extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? TupleOf<Items>
  : Schema extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? TupleOf<Items>
      : JsonSchemaValue<Items>[]
    : unknown[]

type TupleOf<Items extends readonly unknown[]> = { -readonly [Index in keyof Items]: JsonSchemaValue<Items[Index]> }

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Name in keyof Properties & RequiredOf<Schema>]: JsonSchemaValue<Properties[Name]> } & {
        -readonly [Name in Exclude<keyof Properties, RequiredOf<Schema>>]?: JsonSchemaValue<Properties[Name]>
      }
    >
  : Record<string, OtherValues<Schema>>

/** The names of `required`, if they are known one by one. */
type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name extends string)[] }
  ? string extends Name
    ? never
    : Name
  : never

type OtherValues<Schema> = Schema extends { readonly patternProperties: infer Patterns }
  ? JsonSchemaValue<Patterns[keyof Patterns]>
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? JsonSchemaValue<Value>
    : unknown

/** One object type in place of an intersection, so that a message of the compiler can be read. */
type Flat<Value> = { [Name in keyof Value]: Value[Name] }
