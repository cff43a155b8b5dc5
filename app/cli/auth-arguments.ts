// Parses the arguments of `rxpi auth`; never a key, which every user of the machine could read.
import { badRequest } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'
interface OfAuth<Action extends string> {
  readonly mode: 'auth'
  readonly action: Action
  readonly json: boolean
}

export interface AuthSetInvocation extends OfAuth<'set'> {
  readonly provider: string
  /** True: keeps the stored keys; false: replaces them. */
  readonly add: boolean
}

export interface AuthListInvocation extends OfAuth<'list'> {
  /** Absent: all providers. */
  readonly provider?: string
}

export interface AuthRemoveInvocation extends OfAuth<'rm'> {
  readonly provider: string
  /** Absent: all keys of the provider. */
  readonly id?: string
}

export interface AuthVerifyInvocation extends OfAuth<'verify'> {
  readonly provider: string
}

export interface AuthLoginInvocation extends OfAuth<'login'> {
  readonly provider: string
  /** Absent: the vendor's usual one. */
  readonly method?: 'browser' | 'device'
  /** Host of a company's installation. */
  readonly domain?: string
}

export interface AuthLogoutInvocation extends OfAuth<'logout'> {
  readonly provider: string
}

export type AuthInvocation =
  | AuthSetInvocation
  | AuthListInvocation
  | AuthRemoveInvocation
  | AuthVerifyInvocation
  | AuthLoginInvocation
  | AuthLogoutInvocation

/** How many words each action takes, and its options besides --json. */
export const authActions = {
  set: { words: 1, options: ['add'] },
  list: { words: 1, options: [] },
  rm: { words: 2, options: [] },
  verify: { words: 1, options: [] },
  login: { words: 2, options: ['domain'] },
  logout: { words: 1, options: [] },
} as const satisfies Record<string, { readonly words: number; readonly options: readonly OptionName[] }>

/**
 * @param words arguments after `auth`
 * @throws Failure `bad_request`; the message repeats no word that may be a key
 */
export function parseAuth(values: OptionValues, words: readonly string[]): AuthInvocation {
  const [name = '', provider, id] = words
  if (!isAction(name)) throw badRequest('auth needs login, logout, set, list, rm or verify; see rxpi auth --help')
  rejectOtherOptions('auth', values, ['json', ...authActions[name].options], name)
  if (words.length - 1 > authActions[name].words) throw tooManyArguments(name)
  const base = { mode: 'auth', json: values.json === true } as const
  if (name === 'list') return { ...base, action: name, ...(provider === undefined ? {} : { provider }) }
  if (provider === undefined || provider === '')
    throw badRequest(`auth ${name} needs a provider: rxpi auth ${name} openai`)
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(provider)) {
    throw badRequest(`auth ${name} needs the name of a provider, for example: rxpi auth ${name} openai`)
  }
  switch (name) {
    case 'set':
      return { ...base, action: name, provider, add: values.add === true }
    case 'verify':
      return { ...base, action: name, provider }
    case 'login':
      return { ...base, action: name, provider, ...methodOf(id), ...domainOf(values.domain) }
    case 'logout':
      return { ...base, action: name, provider }
    case 'rm':
      return { ...base, action: name, provider, ...(id === undefined ? {} : { id: parseKeyId(id) }) }
  }
}

/** @param word a part of the command line that may be anything */
function methodOf(word: string | undefined): { readonly method?: 'browser' | 'device' } {
  if (word === undefined) return {}
  if (word === 'browser' || word === 'device') return { method: word }
  throw badRequest('auth login takes browser or device after the provider: rxpi auth login openai-codex device')
}

function domainOf(domain: string | undefined): { readonly domain?: string } {
  return domain === undefined ? {} : { domain }
}

function isAction(name: string): name is keyof typeof authActions {
  return Object.hasOwn(authActions, name)
}

function tooManyArguments(action: string): Error {
  const advice =
    action === 'set'
      ? 'never pass a key as an argument, which every user of this machine can read: type it at the prompt or pipe it in'
      : `see rxpi auth --help`
  return badRequest(`auth ${action} has too many arguments; ${advice}`)
}

function parseKeyId(text: string): string {
  if (/^[a-z2-7]{8}$/.test(text)) return text
  throw badRequest('auth rm needs the id of a stored key (8 characters of a–z and 2–7); rxpi auth list prints the ids')
}
