// Declares the part of TypeBox's types that rxpi's declarations use, without the cost of its own.
// The build copies this file to the declarations as `typebox.d.ts`. Guarantees: a schema of TypeBox 0.34 is assignable
// to the type of its name here, and `static` is the same type.

/** A JSON Schema that carries the type of its values. */
export interface TSchema {
  /** Of the type alone: no value has it. */
  readonly static: unknown
  // oxlint-disable-next-line typescript/no-explicit-any -- as TypeBox declares it
  [keyword: string]: any
}

export type TProperties = Record<string | number, TSchema>

export type Static<Schema extends TSchema> = Schema['static']

export type TOptional<Schema extends TSchema> = Schema & { readonly '~optional': true }
export type TReadonly<Schema extends TSchema> = Schema & { readonly '~readonly': true }

export interface TUnsafe<Value> extends TSchema {
  readonly static: Value
}
export interface TString extends TUnsafe<string> {
  type: 'string'
}
export interface TNumber extends TUnsafe<number> {
  type: 'number'
}
export interface TInteger extends TUnsafe<number> {
  type: 'integer'
}
export interface TBoolean extends TUnsafe<boolean> {
  type: 'boolean'
}
export interface TNull extends TUnsafe<null> {
  type: 'null'
}
export interface TLiteral<Value extends string | number | boolean = string | number | boolean> extends TUnsafe<Value> {
  const: Value
}
export type TUnknown = TUnsafe<unknown>
export interface TAny extends TSchema {
  // oxlint-disable-next-line typescript/no-explicit-any -- as TypeBox declares it
  readonly static: any
}
export interface TRef<Reference extends string = string> extends TUnsafe<unknown> {
  $ref: Reference
}
export interface TArray<Item extends TSchema = TSchema> extends TSchema {
  readonly static: Item['static'][]
  type: 'array'
  items: Item
}
export interface TUnion<Branches extends TSchema[] = TSchema[]> extends TSchema {
  readonly static: Branches[number]['static']
  anyOf: Branches
}
export interface TRecord<Key extends TSchema = TSchema, Value extends TSchema = TSchema> extends TSchema {
  readonly static: Record<Key['static'] & PropertyKey, Value['static']>
  type: 'object'
}
export interface TObject<Properties extends TProperties = TProperties> extends TSchema {
  readonly static: ObjectStatic<Properties>
  type: 'object'
  properties: Properties
  required?: string[] | undefined
  additionalProperties?: TSchema | boolean | undefined
}

type ObjectStatic<Properties extends TProperties> = Flat<
  { [Name in PlainNames<Properties>]: Properties[Name]['static'] } & {
    readonly [Name in Names<Properties, { readonly '~readonly': true }>]: Properties[Name]['static']
  } & { [Name in Names<Properties, { readonly '~optional': true }>]?: Properties[Name]['static'] }
>

type PlainNames<Properties> = Exclude<
  keyof Properties,
  Names<Properties, { readonly '~readonly': true } | { readonly '~optional': true }>
>

type Names<Properties, Mark> = {
  [Name in keyof Properties]: Properties[Name] extends Mark ? Name : never
}[keyof Properties]

type Flat<Value> = { [Name in keyof Value]: Value[Name] }
