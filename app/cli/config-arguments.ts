// Parses the arguments of `rxpi config`.
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { rejectOtherOptions, badRequest } from './command-options.ts'
import type { OptionValues } from './command-options.ts'

interface OfConfig<Action extends string> {
  readonly mode: 'config'
  readonly action: Action
  readonly json: boolean
}

export interface ConfigSetInvocation extends OfConfig<'set'> {
  readonly key: string
  /** Null removes the setting. */
  readonly value: unknown
}

export type ConfigInvocation =
  OfConfig<'list'> | (OfConfig<'get' | 'unset'> & { readonly key: string }) | ConfigSetInvocation

/**
 * @param words arguments after `config`
 * @throws Failure `bad_request`
 */
export function parseConfig(values: OptionValues, words: readonly string[]): ConfigInvocation {
  const [action = '', key, ...rest] = words
  rejectOtherOptions('config', values, ['json'], action === '' ? undefined : action)
  const base = { mode: 'config', json: values.json === true } as const
  switch (action) {
    case 'list':
      if (key !== undefined) throw badRequest(`config list takes no key; for one setting, use rxpi config get ${key}`)
      return { ...base, action }
    case 'get':
    case 'unset':
      if (key === undefined) throw badRequest(`config ${action} needs a key: rxpi config ${action} model`)
      if (rest.length > 0) throw badRequest(`config ${action} takes one key; unexpected argument "${rest[0] ?? ''}"`)
      return { ...base, action, key }
    case 'set':
      if (key === undefined || rest[0] === undefined)
        throw badRequest('config set needs a key and a value: rxpi config set model ollama/qwen3')
      if (rest.length > 1)
        throw badRequest(
          `config set takes one value; unexpected argument "${rest[1] ?? ''}": put a value with spaces in quotes`,
        )
      return { ...base, action, key, value: parseValue(rest[0]) }
    default:
      throw badRequest(
        `config needs list, get, set or unset${didYouMean(action, ['list', 'get', 'set', 'unset'], (name) => `rxpi config ${name}`) || '; see rxpi config --help'}`,
      )
  }
}

/** Parses numbers, true, false and lists as JSON; everything else is a text. */
function parseValue(text: string): unknown {
  if (!/^(?:-?\d|true$|false$|\[)/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text // for example a model name that begins with a digit
  }
}
