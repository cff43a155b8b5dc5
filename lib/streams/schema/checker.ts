// A compiled validator becomes a check that gives the value with its type, or one readable reason, never an exception.
import type { CompiledValidator } from './compiled-validator.ts'
import { problemOf } from './compiled-validator.ts'

/** What a check says: the value with its type, or where and why it does not fit. */
export type Checked<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string }

/** @param validator compiled of the schema whose static type `Value` is */
export function checker<Value>(validator: CompiledValidator): (value: unknown) => Checked<Value> {
  return (value) =>
    validator(value)
      ? { ok: true, value: value as Value } // the schema's own static type
      : { ok: false, problem: problemOf(validator) }
}
