// Parses the arguments of `rxpi policy`: a call to explain, a file to import, a session to audit.
import { resolve } from 'node:path'
import { describeJsonFault } from '../../lib/streams/values/json-fault.ts'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import type { ApprovalMode } from '../../lib/streams/ports/policy.ts'
import type { SandboxMode } from '../../lib/streams/ports/sandbox.ts'
import { badRequest, parseApprove, parseFolder, parseSandbox } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'

interface OfPolicy<Action extends string> {
  readonly mode: 'policy'
  readonly action: Action
  readonly json: boolean
}

export interface ExplainInvocation extends OfPolicy<'explain'> {
  readonly tool: string
  readonly args: Record<string, unknown>
  /** Absolute. */
  readonly cwd: string
  readonly approve?: ApprovalMode
  /** Absent: as the settings say. */
  readonly sandbox?: SandboxMode
  readonly trust?: boolean
}

export interface PolicyImportInvocation extends OfPolicy<'import'> {
  /** Absolute, like `cwd`. */
  readonly file: string
  readonly cwd: string
  /** Adds the rules to the user's settings. */
  readonly write: boolean
}

export interface AuditInvocation extends OfPolicy<'audit'> {
  /** A file path is absolute; '' is the session that `rxpi -c` continues here. */
  readonly target: { readonly session: string } | { readonly file: string }
}

export type PolicyInvocation = ExplainInvocation | PolicyImportInvocation | AuditInvocation

/** The options of each action. */
export const policyActions: Readonly<Record<PolicyInvocation['action'], readonly OptionName[]>> = {
  explain: ['json', 'cwd', 'approve', 'sandbox', 'trust'],
  import: ['json', 'cwd', 'write'],
  audit: ['json'],
}

/**
 * @param words arguments after `policy`
 * @throws Failure `bad_request`
 */
export function parsePolicy(values: OptionValues, [word = '', ...words]: readonly string[]): PolicyInvocation {
  const names = Object.keys(policyActions)
  if (word !== 'explain' && word !== 'import' && word !== 'audit') {
    const near = didYouMean(word, names, (name) => `rxpi policy ${name}`) || '; see rxpi policy --help'
    throw badRequest(`policy needs explain, import or audit${near}`)
  }
  rejectOtherOptions('policy', values, policyActions[word], word)
  const json = values.json === true
  if (word === 'explain') return { mode: 'policy', action: word, json, ...parseExplain(values, words) }
  const [name, more] = words
  if (more !== undefined) throw badRequest(`policy ${word} takes one argument; unexpected argument "${more}"`)
  if (word === 'audit') return { mode: 'policy', action: word, json, target: parseTarget(name) }
  if (name === undefined || name === '')
    throw badRequest('policy import needs a file: rxpi policy import ~/.claude/settings.json')
  return {
    mode: 'policy',
    action: word,
    json,
    file: resolve(name),
    cwd: parseFolder(values.cwd),
    write: values.write === true,
  }
}

function parseExplain(
  values: OptionValues,
  [tool, args = '{}', more]: readonly string[],
): Omit<ExplainInvocation, 'mode' | 'action' | 'json'> {
  if (tool === undefined || tool === '')
    throw badRequest(`policy explain needs a tool and its arguments: rxpi policy explain bash '{"command":"npm test"}'`)
  if (more !== undefined)
    throw badRequest(`policy explain takes a tool and one JSON object; unexpected argument "${more}"`)
  const approve = parseApprove(values.approve)
  const sandbox = parseSandbox(values.sandbox)
  return {
    tool,
    args: parseCallArguments(tool, args),
    cwd: parseFolder(values.cwd),
    ...(approve === undefined ? {} : { approve }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(values.trust === true ? { trust: true } : {}),
  }
}

/**
 * A text that is no JSON object is the command of `bash`, unless it begins like one with a field: that is a slip.
 * @throws Failure `bad_request`
 */
export function parseCallArguments(tool: string, text: string): Record<string, unknown> {
  const isCommand = tool === 'bash' && !/^\s*\{\s*"[^"]*"\s*:/.test(text)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    if (!isCommand) throw badRequest(describeJsonFault(text).replace(/^it is/, "the tool's arguments are"))
  }
  if (isCommand) return { command: text }
  throw badRequest(`the tool's arguments must be a JSON object, not ${text}`)
}

function parseTarget(name = ''): AuditInvocation['target'] {
  return name === '' || /^[a-z2-7]{12}$/.test(name) ? { session: name } : { file: resolve(name) }
}
