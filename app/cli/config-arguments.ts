// Parses the arguments of `rxpi config` and `rxpi import`.
import { resolve } from 'node:path'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import {
  badRequest,
  parseApprove,
  parseList,
  parsePositive,
  parsePositiveInteger,
  parseSandbox,
  parseThinking,
  rejectEmpty,
} from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'

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

/** The settings as a run with the same options would have them. */
interface WithLayers {
  /** The options of the command line, by the key that each overrides. */
  readonly flags: Readonly<Record<string, Flag>>
  /** Counts the project's settings as trusted. */
  readonly trust?: true
}

export interface Flag {
  /** As it is written, with `--`. */
  readonly name: string
  readonly value: unknown
}

export type ConfigListInvocation = OfConfig<'list'> & WithLayers
export type ConfigGetInvocation = OfConfig<'get'> & WithLayers & { readonly key: string }

export type ConfigInvocation =
  | ConfigListInvocation
  | ConfigGetInvocation
  | (OfConfig<'unset'> & { readonly key: string })
  | ConfigSetInvocation

/** Options of a run that override a setting. */
const overriding: readonly OptionName[] = [
  'model',
  'thinking',
  'tools',
  'approve',
  'sandbox',
  'max-turns',
  'max-usd',
  'trust',
]

/** The options of each action. */
export const configActions: Readonly<Record<ConfigInvocation['action'], readonly OptionName[]>> = {
  list: ['json', ...overriding],
  get: ['json', ...overriding],
  set: ['json'],
  unset: ['json'],
}

/**
 * @param words arguments after `config`
 * @throws Failure `bad_request`
 */
export function parseConfig(values: OptionValues, words: readonly string[]): ConfigInvocation {
  const [action = '', key, ...rest] = words
  const allowed = action === 'list' || action === 'get' ? configActions[action] : configActions.set
  rejectOtherOptions('config', values, allowed, action === '' ? undefined : action)
  const base = { mode: 'config', json: values.json === true } as const
  switch (action) {
    case 'list':
      if (key !== undefined) throw badRequest(`config list takes no key; for one setting, use rxpi config get ${key}`)
      return { ...base, action, ...layersOf(values) }
    case 'get':
    case 'unset':
      if (key === undefined) throw badRequest(`config ${action} needs a key: rxpi config ${action} model`)
      if (rest.length > 0) throw badRequest(`config ${action} takes one key; unexpected argument "${rest[0] ?? ''}"`)
      return action === 'get' ? { ...base, action, key, ...layersOf(values) } : { ...base, action, key }
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

function layersOf(values: OptionValues): WithLayers {
  const named: readonly (readonly [key: string, name: OptionName, value: unknown])[] = [
    ['model', 'model', rejectEmpty('model', values.model)],
    ['thinkingLevel', 'thinking', parseThinking(values.thinking)],
    ['tools', 'tools', parseList(values.tools)],
    ['approve', 'approve', parseApprove(values.approve)],
    ['sandbox.mode', 'sandbox', parseSandbox(values.sandbox)],
    ['limits.turns', 'max-turns', parsePositiveInteger('max-turns', values['max-turns'])],
    ['limits.usd', 'max-usd', parsePositive('max-usd', values['max-usd'])],
  ]
  const set = named.filter(([, , value]) => value !== undefined)
  const flags = Object.fromEntries(set.map(([key, name, value]) => [key, { name: `--${name}`, value }]))
  return { flags, ...(values.trust === true ? { trust: true } : {}) }
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

/** `rxpi import`: imports the user's files of another agent. */
export interface ImportPiInvocation {
  readonly mode: 'import'
  readonly json: boolean
  /** pi's agent folder, absolute. Absent: the usual one. */
  readonly dir?: string
  /** Providers whose keys the person agrees to import. Absent: the command asks about each, if there is a terminal. */
  readonly keys?: readonly string[]
  /** The person agrees to import the sessions. Absent: the command asks, if there is a terminal. */
  readonly sessions?: true
  readonly dryRun: boolean
}

export const importPiOptions = ['json', 'from', 'keys', 'with-sessions', 'dry-run'] as const

/** @param words arguments after `import` @throws Failure `bad_request` */
export function parseImport(values: OptionValues, words: readonly string[]): ImportPiInvocation {
  const [source = '', more] = words
  if (source !== 'pi') throw badRequest('import needs the name of another agent: rxpi import pi')
  if (more !== undefined) throw badRequest(`import pi takes options only; unexpected argument "${more}"`)
  rejectOtherOptions('import', values, importPiOptions, 'pi')
  const dir = rejectEmpty('from', values.from)
  const keys = parseList(values.keys)
  return {
    mode: 'import',
    json: values.json === true,
    ...(dir === undefined ? {} : { dir: resolve(dir) }),
    ...(keys === undefined ? {} : { keys }),
    ...(values['with-sessions'] === true ? { sessions: true } : {}),
    dryRun: values['dry-run'] === true,
  }
}
