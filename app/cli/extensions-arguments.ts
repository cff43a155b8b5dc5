// Parses the arguments of `rxpi extensions`: an action, and the extension that it is about.
import { resolve } from 'node:path'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { badRequest, parseFolder, parseList, parsePositiveInteger, rejectEmpty } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'

interface OfExtensions<Action extends string> {
  readonly mode: 'extensions'
  readonly action: Action
  readonly json: boolean
  /** Absolute. */
  readonly cwd: string
}

export interface ExtensionListInvocation extends OfExtensions<'list'> {
  readonly trust: boolean
}

/** `extension` is a name, an id or an absolute path; `path` is set for the last. */
interface Target {
  readonly extension: string
  readonly path?: string
  readonly reason?: string
}

export interface ExtensionTrustInvocation extends OfExtensions<'trust' | 'ack' | 'forget'>, Target {
  readonly dev: boolean
  readonly isolate: boolean
  readonly mayReplace?: readonly string[]
}

export interface ExtensionKillInvocation extends OfExtensions<'kill'>, Target {}

export interface ExtensionAuditInvocation extends OfExtensions<'audit'> {
  readonly extension?: string
  readonly limit?: number
}

export type ExtensionsInvocation =
  | ExtensionListInvocation
  | ExtensionTrustInvocation
  | ExtensionKillInvocation
  | ExtensionAuditInvocation

const common = ['json', 'cwd'] as const
/** The options of each action. */
export const extensionsActions: Readonly<Record<ExtensionsInvocation['action'], readonly OptionName[]>> = {
  list: [...common, 'trust'],
  trust: [...common, 'dev', 'isolate', 'may-replace', 'reason'],
  ack: [...common, 'dev', 'isolate', 'may-replace', 'reason'],
  forget: [...common, 'reason'],
  kill: [...common, 'reason'],
  audit: [...common, 'limit'],
}

/**
 * @param words arguments after `extensions`
 * @throws Failure `bad_request`
 */
export function parseExtensions(
  values: OptionValues,
  [word = 'list', ...words]: readonly string[],
): ExtensionsInvocation {
  if (!isAction(word)) {
    const near = didYouMean(word, Object.keys(extensionsActions), (name) => `rxpi extensions ${name}`)
    throw badRequest(`extensions has no action "${word}"${near || '; see rxpi extensions --help'}`)
  }
  rejectOtherOptions('extensions', values, extensionsActions[word], word)
  const [name, more] = words
  if (more !== undefined) throw badRequest(`extensions ${word} takes one extension; unexpected argument "${more}"`)
  const shared = { mode: 'extensions', json: values.json === true, cwd: parseFolder(values.cwd) } as const
  if (word === 'list') {
    if (name !== undefined) throw badRequest(`extensions list takes options only; unexpected argument "${name}"`)
    return { ...shared, action: word, trust: values.trust === true }
  }
  if (word === 'audit') return { ...shared, action: word, ...parseAudit(values, name) }
  const target = parseTarget(word, name, values)
  if (word === 'kill') return { ...shared, action: word, ...target }
  const mayReplace = parseList(values['may-replace'])
  return {
    ...shared,
    action: word,
    ...target,
    dev: values.dev === true,
    isolate: values.isolate === true,
    ...(mayReplace && { mayReplace }),
  }
}

function isAction(word: string): word is ExtensionsInvocation['action'] {
  return Object.hasOwn(extensionsActions, word)
}

function parseTarget(action: string, name: string | undefined, values: OptionValues): Target {
  if (name === undefined || name === '')
    throw badRequest(
      `extensions ${action} needs a name: rxpi extensions ${action} checksum; rxpi extensions list prints them`,
    )
  const reason = rejectEmpty('reason', values.reason)
  const isPath = /^(?:\.{0,2}\/|\.{1,2}$|~\/)/.test(name)
  const extension = isPath ? resolve(name) : name
  return { extension, ...(isPath ? { path: extension } : {}), ...(reason === undefined ? {} : { reason }) }
}

function parseAudit(
  values: OptionValues,
  name: string | undefined,
): Pick<ExtensionAuditInvocation, 'extension' | 'limit'> {
  const limit = parsePositiveInteger('limit', values.limit)
  if (limit !== undefined && limit > 10_000) throw badRequest('--limit must be at most 10000')
  return { ...(name === undefined ? {} : { extension: name }), ...(limit === undefined ? {} : { limit }) }
}
