// Parses the arguments of `rxpi models`.
import {} from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'

export interface ModelsInvocation {
  readonly mode: 'models'
  /** Search words; '' lists all models. */
  readonly search: string
  readonly json: boolean
}

/**
 * @param words arguments after `models`
 * @throws Failure `bad_request`
 */
export function parseModels(values: OptionValues, words: readonly string[]): ModelsInvocation {
  rejectOtherOptions('models', values, ['json'])
  return { mode: 'models', search: words.join(' ').trim(), json: values.json === true }
}
