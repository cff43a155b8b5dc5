// What a user declares, and what their parsers give, is checked by compiled schemas that are read with the first declaration.
import { problemOf } from '../streams/compiled-validator.ts'
import type { CompiledValidator } from '../streams/compiled-validator.ts'
import type { Checked } from '../streams/validators.ts'
import type { AnswerParts } from './answer-parts.ts'
import * as compiled from './generated/declaration-validators.js'
import type { ProviderDetails } from './provider-details.ts'

function checker<Value>(validator: CompiledValidator): (value: unknown) => Checked<Value> {
  return (value) =>
    validator(value)
      ? { ok: true, value: value as Value } // the schema's own static type: see the callers below
      : { ok: false, problem: problemOf(validator) }
}

export const checkProviderDetails = checker<ProviderDetails>(compiled.ProviderDetails)
export const checkAnswerParts = checker<AnswerParts>(compiled.AnswerParts)
