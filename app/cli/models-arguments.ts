// Parses the arguments of `rxpi models`.
import { badRequest } from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'

export interface ModelsInvocation {
  readonly mode: 'models'
  /** Search words; '' lists all models. */
  readonly search: string
  readonly json: boolean
  /** In place of a list: fetches newer data of the catalogue. */
  readonly update?: { readonly check: boolean; readonly reset: boolean }
}

export const modelsOptions = ['json'] as const
export const modelsUpdateOptions = ['json', 'check', 'reset'] as const

/**
 * @param words arguments after `models`
 * @throws Failure `bad_request`
 */
export function parseModels(values: OptionValues, words: readonly string[]): ModelsInvocation {
  const json = values.json === true
  if (words[0] === 'update') return { mode: 'models', search: '', json, update: parseUpdate(values, words) }
  rejectOtherOptions('models', values, modelsOptions)
  return { mode: 'models', search: words.join(' ').trim(), json }
}

function parseUpdate(values: OptionValues, [, more]: readonly string[]): NonNullable<ModelsInvocation['update']> {
  rejectOtherOptions('models', values, modelsUpdateOptions, 'update')
  if (more !== undefined) throw badRequest(`models update takes options only; unexpected argument "${more}"`)
  const [check, reset] = [values.check === true, values.reset === true]
  if (check && reset) throw badRequest('--check and --reset exclude each other')
  return { check, reset }
}
