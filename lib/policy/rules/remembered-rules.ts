// Stores the rules that a person confirmed with “always”, for one folder or for all.
// Guarantees: a private file (0600) in rxpi's state folder; folders are keyed by their real path.
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import { Failure } from '../../streams/values/failure.ts'
import { getOwn, isRecord } from '../../streams/values/json.ts'
import { createRuleSet, joinRuleSets } from './rule-set.ts'
import type { RuleOrigin, RuleSet } from './rule-set.ts'
import type { RuleRoots } from './path-glob.ts'

/** Where a confirmed rule counts: in sessions of this folder, or in all. */
export type RuleScope = 'folder' | 'everywhere'

interface Approvals {
  readonly everywhere: readonly string[]
  readonly folders: Readonly<Record<string, readonly string[]>>
}

export interface ApprovalsStore {
  /** `$RXPI_HOME`, absolute. */
  readonly home: string
  /** Runs one change of the file at a time, also beside other processes. */
  readonly exclusively: <Value>(file: string, work: () => Observable<Value>) => Observable<Value>
}

const maxRules = 1_000

/** The file of confirmed rules. */
export function approvalsFile(home: string): string {
  return path.join(home, 'approvals.json')
}

/** The allow rules that count in this folder. @throws Failure `bad_config` naming the file */
export function readRememberedRules(home: string, roots: RuleRoots): RuleSet {
  const file = approvalsFile(home)
  const { everywhere, folders } = readApprovals(file)
  const real = realTarget(roots.folder)
  const ofFolder = getOwn(folders, real) ?? []
  return joinRuleSets(
    createRuleSet({ allow: [...everywhere] }, roots, { source: 'remembered', file, key: 'everywhere' }),
    createRuleSet({ allow: [...ofFolder] }, roots, { source: 'remembered', file, key: `folders.${real}` }),
  )
}

/**
 * Adds an allow rule; the same rule is stored once. Emits the rule that counts from now on and completes; fails with
 * `bad_request` if the text is not a rule, with `storage` or `bad_config`.
 */
export function rememberRule(
  rule: string,
  scope: RuleScope,
  roots: RuleRoots,
  { home, exclusively }: ApprovalsStore,
): Observable<RuleSet> {
  return defer(() => {
    const file = approvalsFile(home)
    const rules = readConfirmedRule(rule, roots, { source: 'remembered', file })
    ensurePrivateFolder(home)
    return exclusively(file, () => {
      const { everywhere, folders } = readApprovals(file)
      const real = realTarget(roots.folder)
      const next =
        scope === 'everywhere'
          ? { everywhere: added(everywhere, rule), folders }
          : { everywhere, folders: { ...folders, [real]: added(getOwn(folders, real) ?? [], rule) } }
      replacePrivateFile(file, `${JSON.stringify({ version: 1, ...next }, undefined, 2)}\n`)
      return of(rules)
    })
  })
}

/** The allow rule that a person wrote as an answer. @throws Failure `bad_request` if the text is not a rule */
export function readConfirmedRule(rule: string, roots: RuleRoots, origin: RuleOrigin): RuleSet {
  try {
    return createRuleSet({ allow: [rule] }, roots, origin)
  } catch (thrown) {
    throw new Failure('bad_request', Failure.from(thrown).message.replace(`${origin.file}: `, ''), { cause: thrown })
  }
}

function added(rules: readonly string[], rule: string): readonly string[] {
  if (rules.includes(rule)) return rules
  if (rules.length >= maxRules)
    throw new Failure('bad_request', `There are already ${maxRules} remembered rules; remove some`)
  return [...rules, rule]
}

function readApprovals(file: string): Approvals {
  const written = parse(file)
  if (written === undefined) return { everywhere: [], folders: {} }
  const { everywhere = [], folders = {} } = isRecord(written) ? written : { everywhere: written }
  if (isRecord(written) && isTexts(everywhere) && isRecord(folders) && Object.values(folders).every(isTexts))
    return { everywhere, folders: folders as Approvals['folders'] } // each value was checked
  throw badFile(file, '`everywhere` must be a list of rules, `folders` such a list for each folder')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function parse(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw storageFailure(`read ${file}`, thrown)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw badFile(file, 'it is no JSON')
  }
}

function badFile(file: string, fault: string): Failure {
  return new Failure(
    'bad_config',
    `${file} holds the approvals of tools and is not valid: ${fault}; mend or remove it`,
    { data: { file } },
  )
}
