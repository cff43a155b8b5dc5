// Decides whether rules match a call: widely for deny and ask, narrowly for allow.
// Guarantees: what is not known may match a deny rule and never matches an allow rule.
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import type { CommandAnalysis } from '../shell/model/command-analysis.ts'
import { matchesWildcards } from '../shell/model/wildcards.ts'
import { matchWords } from '../rules/command-words.ts'
import type { WordMatch } from '../rules/command-words.ts'
import { isOfDomain } from '../rules/parse-rule.ts'
import type { Rule } from '../rules/rule-set.ts'
import type { CallFacts, FileAccess } from './call-facts.ts'

/** True if command patterns cover a whole command (docs/design/security.md#S4). */
export type CoversCommand = (patterns: readonly string[], analysis: CommandAnalysis) => boolean

export interface RuleMatch {
  readonly rule: Rule
  /** `maybe`: the call has parts that are not known. */
  readonly match: Exclude<WordMatch, 'no'>
}

/** The first deny or ask rule that matches, or else the first that may match. */
export function firstMatch(rules: readonly Rule[], request: PolicyRequest, facts: CallFacts): RuleMatch | undefined {
  let possible: RuleMatch | undefined
  for (const rule of rules) {
    const match = matchRule(rule, request, facts)
    if (match === 'yes') return { rule, match }
    if (match === 'maybe') possible ??= { rule, match }
  }
  return possible
}

function matchRule(rule: Rule, { tool }: PolicyRequest, facts: CallFacts): WordMatch {
  const { tools, subject } = rule
  if (subject.kind === 'path') return matchPath(rule, tool, facts)
  if (!isNamed(rule, tool, facts)) return 'no'
  if (subject.kind === 'any') return 'yes'
  if (subject.kind === 'domain') {
    if (facts.host === undefined) return 'maybe'
    return isOfDomain(facts.host, subject.domain) ? 'yes' : 'no'
  }
  return 'name' in tools ? matchCommand(subject.words, facts.analysis) : 'no'
}

/** True if the rule is about this tool. `read` and `write` are about every tool that reads or changes files. */
function isNamed({ tools }: Rule, { name, capability }: PolicyRequest['tool'], { files }: CallFacts): boolean {
  if ('name' in tools) return matchesWildcards(tools.name, name)
  const declared = capabilityOf(capability)
  const isFileTool = declared === 'read' || declared === 'write'
  return isFileTool && (name === tools.access || files.some(({ access }) => access === tools.access))
}

function matchPath(rule: Rule, { name }: PolicyRequest['tool'], { files }: CallFacts): WordMatch {
  const { tools, subject } = rule
  if (subject.kind !== 'path') return 'no'
  const { glob } = subject
  if ('name' in tools && !matchesWildcards(tools.name, name)) return 'no'
  const meant = files.filter((file) => !('access' in tools) || file.access === tools.access)
  if (meant.some(({ file, real, isSure }) => isSure && (glob.matches(file) || glob.matches(real)))) return 'yes'
  // `grep` prints what it finds below its folder, and a command's `*` can be any name
  const isOpen = (access: FileAccess): boolean => !access.isSure || (access.isArgument && name === 'grep')
  return meant.some((each) => isOpen(each) && (glob.mayMatchIn(each.file) || glob.mayMatchIn(each.real)))
    ? 'maybe'
    : 'no'
}

function matchCommand(words: readonly string[], analysis: CommandAnalysis | undefined): WordMatch {
  if (analysis === undefined) return 'maybe'
  const matches = analysis.commands.map((command) =>
    matchWords(
      words,
      command.words.map(({ value }) => value),
    ),
  )
  if (matches.includes('yes')) return 'yes'
  return matches.includes('maybe') || hidesCommands(analysis) ? 'maybe' : 'no'
}

/** True if the text may run commands that the analysis does not list. */
export function hidesCommands({ unknowns }: CommandAnalysis): boolean {
  return unknowns.some(({ kind }) => kind === 'syntax' || kind === 'command' || kind === 'text' || kind === 'limit')
}

/**
 * The allow rule that answers for the whole call, or undefined. For a command, the patterns of several rules count
 * together, and the first of them is returned.
 */
export function coveringRule(
  rules: readonly Rule[],
  request: PolicyRequest,
  facts: CallFacts,
  coversCommand: CoversCommand,
): Rule | undefined {
  const { tool } = request
  const whole = rules.find((rule) => rule.subject.kind === 'any' && allowsTool(rule, request, facts))
  if (whole !== undefined) return whole
  if (facts.analysis !== undefined) return commandRule(rules, tool, facts.analysis, coversCommand)
  const { host } = facts
  if (host !== undefined) {
    const ofHost = rules.find(
      (rule) => rule.subject.kind === 'domain' && isNamed(rule, tool, facts) && isOfDomain(host, rule.subject.domain),
    )
    if (ofHost !== undefined) return ofHost
  }
  return pathRule(rules, tool, facts)
}

/** A tool that always asks is allowed by its name only. */
function allowsTool(rule: Rule, { tool }: PolicyRequest, facts: CallFacts): boolean {
  if (!isNamed(rule, tool, facts) || !isBoundTo(rule, tool)) return false
  if ('access' in rule.tools) {
    const { access } = rule.tools
    return tool.alwaysAsk !== true && (capabilityOf(tool.capability) === 'read' || access === 'write')
  }
  return tool.alwaysAsk !== true || rule.tools.name === tool.name
}

/** A person's answer was about one tool of an MCP server as it was then; the user's settings may name any. */
function isBoundTo({ source, digest }: Rule, { mcp }: PolicyRequest['tool']): boolean {
  if (mcp === undefined || source === 'user') return true
  return digest === mcp.digest
}

/** True if a person allowed this tool of an MCP server, and the server says something else about it now. */
export function wasAllowedBefore(rules: readonly Rule[], { name, mcp }: PolicyRequest['tool']): boolean {
  if (mcp === undefined) return false
  return rules.some(({ text, digest }) => text === name && digest !== undefined && digest !== mcp.digest)
}

function commandRule(
  rules: readonly Rule[],
  { name }: PolicyRequest['tool'],
  analysis: CommandAnalysis,
  coversCommand: CoversCommand,
): Rule | undefined {
  const patterns = rules.flatMap((rule) => {
    const { tools, subject } = rule
    return subject.kind === 'command' && 'name' in tools && matchesWildcards(tools.name, name)
      ? [{ rule, pattern: subject.pattern }]
      : []
  })
  if (patterns.length === 0) return undefined
  const single = patterns.find(({ pattern }) => coversCommand([pattern], analysis))
  if (single !== undefined) return single.rule
  return coversCommand(
    patterns.map(({ pattern }) => pattern),
    analysis,
  )
    ? patterns[0]?.rule
    : undefined
}

/** Each file of the call must be covered, by its name and by its real path. */
function pathRule(rules: readonly Rule[], tool: PolicyRequest['tool'], { files }: CallFacts): Rule | undefined {
  const declared = capabilityOf(tool.capability)
  if (tool.alwaysAsk === true || files.length === 0 || (declared !== 'read' && declared !== 'write')) return undefined
  const covering = files.map((file) => rules.find((rule) => coversFile(rule, tool.name, file)))
  return covering.includes(undefined) ? undefined : covering[0]
}

/** A rule for changes covers the read that comes with an edit. */
function coversFile({ tools, subject }: Rule, tool: string, { access, file, real }: FileAccess): boolean {
  if (subject.kind !== 'path') return false
  const isMeant =
    'access' in tools ? tools.access === access || tools.access === 'write' : matchesWildcards(tools.name, tool)
  return isMeant && subject.glob.matches(file) && subject.glob.matches(real)
}
