// Decides about a call: protected files, critical commands, deny and ask rules, mode, allow rules.
// Guarantees: pure; the strictest layer wins, and an allow lowers only what a mode, the fence or a tool asks.
import { capabilityOf } from '../../streams/ports/tool.ts'
import type { PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import { commandClasses } from '../shell/model/command-analysis.ts'
import type { ClassFinding } from '../shell/model/command-analysis.ts'
import type { Rule, RuleSet } from '../rules/rule-set.ts'
import type { CallFacts, FileAccess } from './call-facts.ts'
import { coveringRule, firstMatch, hidesCommands, wasAllowedBefore } from './match-rules.ts'
import type { CoversCommand, RuleMatch } from './match-rules.ts'
import { harmlessCapabilities, phaseFinding } from './phase-finding.ts'
import { suggestPattern } from './suggest-pattern.ts'

/** Inputs of a decision beside the call and the rules. */
export interface DecisionFacts extends CallFacts {
  /** True if a person allowed exactly this call for the session. */
  readonly isRemembered?: boolean
  readonly coversCommand?: CoversCommand
}

export interface Finding extends Pick<PolicyVerdict, 'reason' | 'by' | 'rule'> {
  readonly decision: 'ask' | 'deny'
  /** True if no allow lowers it. */
  readonly isFixed: boolean
}

export function decide(request: PolicyRequest, rules: RuleSet, facts: DecisionFacts): PolicyVerdict {
  const findings = collectFindings(request, rules, facts)
  const found = facts.analysis?.classes[0]
  const described = found === undefined ? {} : { class: found.class, tier: found.tier }
  const denial = findings.find(({ decision }) => decision === 'deny')
  const strictest = denial ?? findings.find(({ isFixed }) => isFixed) ?? findings[0]
  if (strictest === undefined) return { ...unasked(request), ...described }
  const { decision, reason, by, rule, isFixed } = strictest
  const changes = `${changedText(request)}${changedToolText(request, rules)}`
  const verdict = {
    decision,
    reason: `${reason}${changes}`,
    by,
    ...(rule !== undefined && { rule }),
    ...described,
  }
  if (isFixed) return decision === 'ask' ? { ...verdict, asksEachTime: true } : verdict
  const lowered = loweredBy(request, rules, facts)
  if (lowered !== undefined) return { ...lowered, ...described }
  const pattern = isSuspended(request) ? undefined : suggestPattern(request, facts)
  return { ...verdict, ...(pattern !== undefined && { pattern }) }
}

/** In the order of docs/design/security.md#S4; of equal strictness, the first names the reason. */
function collectFindings(request: PolicyRequest, rules: RuleSet, facts: DecisionFacts): readonly Finding[] {
  return [
    faultFinding(request, facts),
    phaseFinding(request, facts),
    ...facts.files.map(protectionFinding),
    criticalFinding(facts),
    ruleFinding('deny', firstMatch(rules.deny, request, facts)),
    hookFinding(request),
    ruleFinding('ask', firstMatch(rules.ask, request, facts)),
    alwaysAskFinding(request),
    escalateFinding(request),
    hiddenFinding(request, facts),
    ...facts.files.map((file) => outsideFinding(request, file)),
    modeFinding(request, facts),
  ].filter((finding) => finding !== undefined)
}

function faultFinding({ tool }: PolicyRequest, { fault }: CallFacts): Finding | undefined {
  if (fault === undefined) return undefined
  return { decision: 'deny', isFixed: true, by: 'protected', reason: `${tool.name} may not run: ${fault}.` }
}

function protectionFinding(file: FileAccess): Finding | undefined {
  const { protection, access, real } = file
  if (protection === undefined) return undefined
  const action = access === 'read' ? 'reads' : 'changes'
  const reason =
    protection === 'deny'
      ? `It ${action} ${real}, which no tool may touch: it holds secrets, or decides what rxpi or git runs.`
      : askReason(file)
  return { decision: protection, isFixed: true, by: 'protected', reason }
}

function askReason({ access, real, isSure }: FileAccess): string {
  if (access === 'read') return `It may read keys and passwords in ${real}; a person decides each time.`
  if (!isSure) return `It may change protected files in ${real}; a person decides each time.`
  return `It changes ${real}, which a shell, an editor, git or a later session trusts by itself; a person decides each time.`
}

function criticalFinding({ analysis }: CallFacts): Finding | undefined {
  const found = analysis?.classes.find(({ tier }) => tier === 'critical')
  return found === undefined ? undefined : { decision: 'ask', isFixed: true, by: 'class', reason: classReason(found) }
}

function classReason({ class: name, why, command }: ClassFinding): string {
  const { words } = commandClasses[name]
  return `It ${words}: ${command}${why === words ? '' : ` (${why})`}.`
}

function ruleFinding(list: 'ask' | 'deny', found: RuleMatch | undefined): Finding | undefined {
  if (found === undefined) return undefined
  const { rule, match } = found
  const decision = list === 'deny' && match === 'yes' ? 'deny' : 'ask'
  const verb = match === 'yes' ? 'matches' : 'may match'
  const reason = `It ${verb} the ${list} rule ${rule.text} (${sourceText(rule)}).`
  return { decision, isFixed: true, by: 'rule', rule: rule.text, reason }
}

function sourceText({ source }: Rule): string {
  return source === 'user' ? "the user's settings" : source
}

/** A hook may tighten only: its `allow` decides nothing. */
function hookFinding({ hook }: PolicyRequest): Finding | undefined {
  if (hook === undefined || hook.decision === 'allow') return undefined
  const { decision, reason = `A hook ${decision === 'deny' ? 'refuses' : 'asks about'} this call.` } = hook
  return { decision, isFixed: true, by: 'hook', reason }
}

function alwaysAskFinding({ tool }: PolicyRequest): Finding | undefined {
  if (tool.alwaysAsk !== true) return undefined
  return { decision: 'ask', isFixed: false, by: 'capability', reason: `${tool.name} asks before each call.` }
}

/** Leaving the sandbox asks in every mode; a rule of the user may allow it. */
function escalateFinding({ tool, args, escalates = false }: PolicyRequest): Finding | undefined {
  if (!escalates) return undefined
  const why = typeof args['escalate'] === 'string' && args['escalate'] !== '' ? `: ${args['escalate']}` : ''
  return {
    decision: 'ask',
    isFixed: false,
    by: 'sandbox',
    reason: `${tool.name} asks to run outside the sandbox${why}.`,
  }
}

/** Text that the analysis cannot read may hold a critical command. The sandbox confines it. */
function hiddenFinding({ isSandboxed }: PolicyRequest, { analysis }: CallFacts): Finding | undefined {
  if (isSandboxed || analysis === undefined || !hidesCommands(analysis)) return undefined
  const why = analysis.unknowns[0]?.why ?? 'a part is not known'
  return { decision: 'ask', isFixed: false, by: 'class', reason: `What the command does is not certain: ${why}.` }
}

function outsideFinding(
  { tool, mode, isSandboxed }: PolicyRequest,
  { zone, real, access, isArgument }: FileAccess,
): Finding | undefined {
  const capability = capabilityOf(tool.capability)
  if (zone === 'inside' || !isArgument || (capability !== 'read' && capability !== 'write')) return undefined
  if (mode === 'auto' && !(access === 'write' && isSandboxed)) return undefined // leaving the sandbox asks in every mode
  if (access === 'write' && !isSandboxed) return undefined // the mode asks
  const action = access === 'read' ? 'reads' : 'changes'
  return { decision: 'ask', isFixed: false, by: 'sandbox', reason: `It ${action} ${real}, outside the workspace.` }
}

const powerful: ReadonlySet<string> = new Set(['write', 'exec', 'env'])

/** `writes` relies on the sandbox for what it confines; `ask` does not. */
function modeFinding({ tool, mode, isSandboxed }: PolicyRequest, { analysis }: CallFacts): Finding | undefined {
  const capability = capabilityOf(tool.capability)
  const asks =
    mode === 'ask'
      ? !harmlessCapabilities.has(capability)
      : mode === 'writes' && powerful.has(capability) && !isSandboxed
  if (!asks) return undefined
  const found = analysis?.classes[0]
  if (found !== undefined) return { decision: 'ask', isFixed: false, by: 'class', reason: classReason(found) }
  const confined = mode === 'writes' ? ', outside a sandbox' : ''
  const action = tool.mcp === undefined ? capabilityWords[capability] : `is a tool of the MCP server ${tool.mcp.server}`
  const reason = `${tool.name} ${action}${confined}; the mode "${mode}" asks.`
  return { decision: 'ask', isFixed: false, by: 'mode', reason }
}

const capabilityWords: Readonly<Record<ReturnType<typeof capabilityOf>, string>> = {
  read: 'reads files',
  write: 'changes files',
  http: 'uses the network',
  events: 'sends events',
  session: 'changes the session',
  ui: 'shows something',
  exec: 'runs commands',
  env: 'changes the environment of commands',
  tool: 'calls tools',
  log: 'writes to the log',
}

/**
 * True if earlier calls changed variables that select programs: no allow counts for commands
 * (docs/design/security.md#S16).
 */
function isSuspended({ tool, changed = [] }: PolicyRequest): boolean {
  return changed.length > 0 && capabilityOf(tool.capability) === 'exec'
}

function changedText(request: PolicyRequest): string {
  return isSuspended(request) ? ` Earlier commands changed ${request.changed?.join(', ')}.` : ''
}

function changedToolText({ tool }: PolicyRequest, { allow }: RuleSet): string {
  if (!wasAllowedBefore(allow, tool)) return ''
  return ' You allowed it before, but its server has changed its description, its schema or its hints since.'
}

function loweredBy(request: PolicyRequest, rules: RuleSet, facts: DecisionFacts): PolicyVerdict | undefined {
  if (isSuspended(request)) return undefined
  if (facts.isRemembered === true)
    return { decision: 'allow', by: 'remembered', reason: 'A person allowed this call for the session.' }
  const rule = coveringRule(rules.allow, request, facts, facts.coversCommand ?? (() => false))
  if (rule === undefined) return undefined
  const reason = `The allow rule ${rule.text} (${sourceText(rule)}) covers it.`
  return { decision: 'allow', by: 'rule', rule: rule.text, reason }
}

function unasked({ tool, mode, isSandboxed }: PolicyRequest): PolicyVerdict {
  const capability = capabilityOf(tool.capability)
  if (!powerful.has(capability))
    return { decision: 'allow', by: 'capability', reason: `${tool.name} ${capabilityWords[capability]}.` }
  if (isSandboxed) return { decision: 'allow', by: 'sandbox', reason: 'The sandbox confines it.' }
  return { decision: 'allow', by: 'mode', reason: `The mode "${mode}" asks for nothing of this kind.` }
}
