// Stores the rules that a person confirmed with “always”, for one folder or for all.
// Guarantees: a private file (0600) in rxpi's state folder; folders are keyed by their real path.
import path from 'node:path'
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder, readPrivateJson } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { getOwn, isRecord } from '../../streams/values/json.ts'
import { bindRules, createRuleSet, joinRuleSets } from './rule-set.ts'
import type { RuleOrigin, RuleSet } from './rule-set.ts'
import type { RuleRoots } from './path-glob.ts'

/** Where a confirmed rule counts: in sessions of this folder, or in all. */
export type RuleScope = 'folder' | 'everywhere'

interface Approvals {
  readonly everywhere: readonly string[]
  readonly folders: Readonly<Record<string, readonly string[]>>
  /** Tools of MCP servers with their digests, by folder: a changed tool is not allowed any more. */
  readonly tools: Readonly<Record<string, ToolDigests>>
}

type ToolDigests = Readonly<Record<string, string>>

export interface ApprovalsStore {
  /** `$RXPI_HOME`, absolute. */
  readonly home: string
  /** Runs one change of the file at a time, also beside other processes. */
  readonly exclusively: <Value>(file: string, work: () => Observable<Value>) => Observable<Value>
}

const maxRules = 1_000
/** Of the whole file: every folder has its rules. */
const maxBytes = 4_194_304

/** The file of confirmed rules. */
export function approvalsFile(home: string): string {
  return path.join(home, 'approvals.json')
}

/** The allow rules that count in this folder. @throws Failure `bad_config` naming the file */
export function readRememberedRules(home: string, roots: RuleRoots): RuleSet {
  const file = approvalsFile(home)
  const { everywhere, folders, tools } = readApprovals(file)
  const real = realTarget(roots.folder)
  const ofFolder = getOwn(folders, real) ?? []
  const ofTools = Object.entries(getOwn(tools, real) ?? {}).map(([name, digest]) =>
    bindRules(createRuleSet({ allow: [name] }, roots, { source: 'remembered', file, key: `tools.${real}` }), digest),
  )
  return joinRuleSets(
    ...ofTools,
    createRuleSet({ allow: [...everywhere] }, roots, { source: 'remembered', file, key: 'everywhere' }),
    createRuleSet({ allow: [...ofFolder] }, roots, { source: 'remembered', file, key: `folders.${real}` }),
  )
}

/**
 * Adds an allow rule; the same rule is stored once. With the digest of a tool of an MCP server it counts for that alone. Emits the rule that counts from now on and completes; fails with
 * `bad_request` if the text is not a rule, with `storage` or `bad_config`.
 */
export function rememberRule(
  rule: string,
  scope: RuleScope,
  roots: RuleRoots,
  { home, exclusively, digest }: ApprovalsStore & { readonly digest?: string | undefined },
): Observable<RuleSet> {
  return defer(() => {
    const file = approvalsFile(home)
    const rules = readConfirmedRule(rule, { roots, origin: { source: 'remembered', file }, digest })
    ensurePrivateFolder(home)
    return exclusively(file, () => {
      const next = withRule(readApprovals(file), { rule, scope, folder: realTarget(roots.folder), digest })
      replacePrivateFile(file, `${JSON.stringify({ version: 1, ...next }, undefined, 2)}\n`)
      return of(rules)
    })
  })
}

interface NewRule {
  readonly rule: string
  readonly scope: RuleScope
  /** A real path. */
  readonly folder: string
  readonly digest: string | undefined
}

function withRule(before: Approvals, { rule, scope, folder, digest }: NewRule): Approvals {
  const { everywhere, folders, tools } = before
  if (digest !== undefined) {
    const { [rule]: _, ...others } = getOwn(tools, folder) ?? {}
    requireRoom(Object.keys(others))
    return { ...before, tools: { ...tools, [folder]: { ...others, [rule]: digest } } }
  }
  if (scope === 'everywhere') return { ...before, everywhere: added(everywhere, rule) }
  return { ...before, folders: { ...folders, [folder]: added(getOwn(folders, folder) ?? [], rule) } }
}

/** The digest for which a person allowed a tool of an MCP server in this folder. @throws Failure `bad_config` */
export function rememberedDigest(home: string, folder: string, tool: string): string | undefined {
  return getOwn(getOwn(readApprovals(approvalsFile(home)).tools, realTarget(folder)) ?? {}, tool)
}

interface ConfirmedRule {
  readonly roots: RuleRoots
  readonly origin: RuleOrigin
  /** Of a tool of an MCP server. */
  readonly digest: string | undefined
}

/** The allow rule that a person wrote as an answer. @throws Failure `bad_request` if the text is not a rule */
export function readConfirmedRule(rule: string, { roots, origin, digest }: ConfirmedRule): RuleSet {
  try {
    const rules = createRuleSet({ allow: [rule] }, roots, origin)
    return digest === undefined ? rules : bindRules(rules, digest)
  } catch (thrown) {
    throw new Failure('bad_request', Failure.from(thrown).message.replace(`${origin.file}: `, ''), { cause: thrown })
  }
}

function added(rules: readonly string[], rule: string): readonly string[] {
  if (rules.includes(rule)) return rules
  requireRoom(rules)
  return [...rules, rule]
}

/** @throws Failure `bad_request` */
function requireRoom({ length }: readonly string[]): void {
  if (length >= maxRules)
    throw new Failure('bad_request', `There are already ${maxRules} remembered rules; remove some`)
}

function readApprovals(file: string): Approvals {
  const written = readPrivate(file)
  if (written === undefined) return { everywhere: [], folders: {}, tools: {} }
  const { everywhere = [], folders = {}, tools = {} } = isRecord(written) ? written : { everywhere: written }
  if (!isRecord(written) || !isTexts(everywhere) || !isRecord(folders) || !Object.values(folders).every(isTexts))
    throw badFile(file, '`everywhere` must be a list of rules, `folders` such a list for each folder')
  if (!isRecord(tools) || !Object.values(tools).every(isDigests))
    throw badFile(file, '`tools` must have digests of tools for each folder')
  const checked = { folders, tools } as Pick<Approvals, 'folders' | 'tools'> // each value was checked
  return { everywhere, ...checked }
}

function isDigests(value: unknown): value is ToolDigests {
  return isRecord(value) && isTexts(Object.values(value))
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function readPrivate(file: string): unknown {
  try {
    return readPrivateJson(file, maxBytes)
  } catch (error) {
    throw badFile(file, describeThrown(error))
  }
}

function badFile(file: string, fault: string): Failure {
  return new Failure(
    'bad_config',
    `${file} holds the approvals of tools and is not valid: ${fault}; mend or remove it`,
    { data: { file } },
  )
}
