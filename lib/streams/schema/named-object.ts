// The type of an object schema with a literal `type` field: how events and commands are told apart.
import type { TLiteral, TObject, TProperties } from '@sinclair/typebox'

export type NamedObject<Name extends string, Properties> = Properties extends TProperties
  ? TObject<Properties & { type: TLiteral<Name> }>
  : never
