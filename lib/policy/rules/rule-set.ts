// Builds the rules of a session from the written lists, and checks their examples.
// Guarantees: a rule that cannot be understood is a `bad_config` that names file, key and rule.
import path from 'node:path'
import { Failure } from '../../streams/values/failure.ts'
import type { PermissionEntry, Permissions } from '../../streams/config/permissions.ts'
import type { CommandAnalysis } from '../shell/model/command-analysis.ts'
import { isOfDomain, parseRule } from './parse-rule.ts'
import type { ParsedRule } from './parse-rule.ts'
import { matchWords } from './command-words.ts'
import type { RuleRoots } from './path-glob.ts'

/**
 * Where a rule comes from. `remembered`: a person answered “always”. Only a deny or ask rule may be an extension's or
 * that of a trusted `project`.
 */
export type RuleSource = 'extension' | 'global' | 'project' | 'user' | 'remembered' | 'session'

export interface Rule extends ParsedRule {
  /** As its file holds it. */
  readonly text: string
  readonly source: RuleSource
  /** Of a rule that a person confirmed for one tool of an MCP server: the tool with another digest is another tool. */
  readonly digest?: string
}

export interface RuleSet {
  readonly allow: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly deny: readonly Rule[]
}

export type RuleList = keyof RuleSet

export const noRules: RuleSet = { allow: [], ask: [], deny: [] }

export interface RuleOrigin {
  readonly source: RuleSource
  /** The file that holds the rules, absolute. */
  readonly file: string
  /** The key of the lists. Default `permissions`. */
  readonly key?: string
}

/** Reads a shell command, for the examples of rules about commands. */
export type ReadExample = (command: string) => Pick<CommandAnalysis, 'commands'>

/** @throws Failure `bad_config` naming file, key and rule */
export function createRuleSet(written: Permissions, roots: RuleRoots, origin: RuleOrigin): RuleSet {
  const list = (name: RuleList): readonly Rule[] =>
    (written[name] ?? []).map((entry, at) => createRule(entry, `${origin.key ?? 'permissions'}.${name}[${at}]`))
  function createRule(entry: PermissionEntry, key: string): Rule {
    const text = typeof entry === 'string' ? entry : entry.rule
    const parsed = parseRule(text, roots)
    if ('fault' in parsed) throw ruleFailure(origin.file, key, text, parsed.fault)
    return { ...parsed, text, source: origin.source }
  }
  return { allow: list('allow'), ask: list('ask'), deny: list('deny') }
}

/** The rules, for tools of MCP servers with this digest alone. */
export function bindRules({ allow, ask, deny }: RuleSet, digest: string): RuleSet {
  return { allow: allow.map((rule) => ({ ...rule, digest })), ask, deny }
}

/** All rules of the sets. */
export function joinRuleSets(...sets: readonly RuleSet[]): RuleSet {
  return {
    allow: sets.flatMap(({ allow }) => allow),
    ask: sets.flatMap(({ ask }) => ask),
    deny: sets.flatMap(({ deny }) => deny),
  }
}

/** True if an example is a command, which takes the shell parser to check. */
export function hasCommandExamples(written: Permissions): boolean {
  return Object.values(written).some((entries) =>
    entries.some((entry) => typeof entry !== 'string' && /^bash\s*\(/i.test(entry.rule.trim()) && hasExamples(entry)),
  )
}

function hasExamples({ match = [], notMatch = [] }: Exclude<PermissionEntry, string>): boolean {
  return match.length + notMatch.length > 0
}

/** Checks the examples of all rules. @throws Failure `bad_config` naming the example */
export function checkExamples(written: Permissions, roots: RuleRoots, origin: RuleOrigin, read: ReadExample): void {
  for (const name of ['allow', 'ask', 'deny'] as const) {
    for (const [at, entry] of (written[name] ?? []).entries()) {
      if (typeof entry === 'string') continue
      const rule = parseRule(entry.rule, roots)
      if ('fault' in rule) continue // `createRuleSet` has refused it
      const wrong = wrongExample(entry, (example) => isExample(rule, example, roots, read, name === 'allow'))
      if (wrong !== undefined)
        throw ruleFailure(origin.file, `${origin.key ?? 'permissions'}.${name}[${at}]`, entry.rule, wrong)
    }
  }
}

function wrongExample(
  { match = [], notMatch = [] }: Exclude<PermissionEntry, string>,
  matches: (example: string) => boolean,
): string | undefined {
  const missed = match.find((example) => !matches(example))
  if (missed !== undefined) return `it does not match its example ${JSON.stringify(missed)}`
  const hit = notMatch.find((example) => matches(example))
  return hit === undefined ? undefined : `it matches ${JSON.stringify(hit)}, which stands in notMatch`
}

/** An allow rule must cover every command of the example, other rules one of them. */
function isExample(
  { subject }: ParsedRule,
  example: string,
  { folder, home }: RuleRoots,
  read: ReadExample,
  coversAll: boolean,
): boolean {
  switch (subject.kind) {
    case 'any':
      return true
    case 'path':
      return subject.glob.matches(
        example === '~' || example.startsWith('~/') ? path.join(home, example.slice(1)) : path.resolve(folder, example),
      )
    case 'domain':
      return isOfDomain(example.toLowerCase(), subject.domain)
    case 'command': {
      const matches = read(example).commands.map(
        ({ words }) =>
          matchWords(
            subject.words,
            words.map(({ value }) => value),
          ) === 'yes',
      )
      return matches.length > 0 && (coversAll ? matches.every(Boolean) : matches.some(Boolean))
    }
  }
}

function ruleFailure(file: string, key: string, rule: string, fault: string): Failure {
  return new Failure('bad_config', `${file}: the rule ${JSON.stringify(rule)} in ${key} is not valid: ${fault}`, {
    data: { file, key, rule },
  })
}
