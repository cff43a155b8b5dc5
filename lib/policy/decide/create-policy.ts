// Implements the Policy port over rules and surroundings; loads the shell parser on first use.
// Guarantees: one verdict a call, synchronous once the parser is loaded; an error is a denial.
import { catchError, defer, from, map, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { climbedTarget } from '../../host/files/resolve-path.ts'
import { describeThrown, Failure } from '../../streams/values/failure.ts'
import type { Policy, PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import { readConfirmedRule } from '../rules/remembered-rules.ts'
import { joinRuleSets, noRules } from '../rules/rule-set.ts'
import type { RuleSet } from '../rules/rule-set.ts'
import { approvalKey } from './approval-key.ts'
import { collectFacts, commandOf } from './call-facts.ts'
import type { PolicySurroundings } from './call-facts.ts'
import { decide } from './decide.ts'
import type { ShellReader } from './load-shell.ts'
import { loadShell } from './load-shell.ts'

export interface PolicyOptions {
  readonly rules: RuleSet
  readonly surroundings: PolicySurroundings
  /** Variables of the session whose values are certain, for the analysis of commands. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Stores a rule for later sessions, of a tool of an MCP server with its digest, and emits it once. Absent: rules cannot be stored. */
  readonly remember?: (rule: string, digest?: string) => Observable<RuleSet>
}

/** A policy that a person can loosen for the rest of the session. */
export interface SessionPolicy extends Policy {
  /** Allows exactly this call, with these arguments, folder and sandbox, until the session closes. */
  rememberCall(request: PolicyRequest): void
  /** Adds rules that a person confirmed, until the session closes. */
  addRules(rules: RuleSet): void
  /**
   * Adds an allow rule that a person confirmed: until the session closes, or also for later sessions of the folder
   * (`always`). Emits once it counts, and completes; fails with `bad_request` if it is not a rule, with `storage`.
   */
  addPattern(pattern: string, scope: 'session' | 'always', call?: PolicyRequest): Observable<void>
}

/** The parser and the coverage of patterns are loaded once a process. */
let shell: ShellReader | undefined

export function createPolicy({
  rules,
  surroundings,
  env = {},
  remember = cannotRemember,
}: PolicyOptions): SessionPolicy {
  let added = noRules
  const addRules = (more: RuleSet): void => {
    added = joinRuleSets(added, more)
  }
  const remembered = new Set<string>()
  const judge = (request: PolicyRequest, reader: ShellReader | undefined): PolicyVerdict => {
    const command = commandOf(request)
    const analysis =
      command === undefined
        ? undefined
        : reader?.analyse(command, {
            cwd: request.cwd,
            home: surroundings.homeFolder,
            workspace: surroundings.workspace,
            env,
          })
    return decide(request, joinRuleSets(rules, added), {
      ...collectFacts(request, surroundings, analysis),
      isRemembered: remembered.has(approvalKey(request)),
      coversCommand: (patterns, of) =>
        reader?.covers(patterns, of, { workspace: surroundings.workspace, realPath: climbedTarget }) === true,
    })
  }
  return {
    decide: (request) =>
      defer(() => {
        if (commandOf(request) === undefined || shell !== undefined) return of(judge(request, shell))
        return from(loadShell()).pipe(map((loaded) => judge(request, (shell = loaded))))
      }).pipe(catchError((thrown: unknown) => denial(thrown))),
    rememberCall: (request) => void remembered.add(approvalKey(request)),
    addRules,
    addPattern: (pattern, scope, call) =>
      defer(() => {
        const digest = digestFor(pattern, call)
        const rules$ =
          scope === 'always' ? remember(pattern, digest) : of(readAnsweredRule(pattern, surroundings, digest))
        return rules$.pipe(map(addRules))
      }),
  }
}

/** Of a tool of an MCP server: an answer is about this tool as it is. @throws Failure `bad_request` for a wider pattern */
function digestFor(pattern: string, call: PolicyRequest | undefined): string | undefined {
  const { name, mcp } = call?.tool ?? {}
  if (mcp === undefined && !pattern.startsWith('mcp__')) return undefined
  if (mcp !== undefined && pattern === name) return mcp.digest
  const wanted = mcp === undefined ? '' : ` write ${name ?? ''}, or`
  throw new Failure(
    'bad_request',
    `An answer allows one tool of an MCP server:${wanted} put ${pattern} into permissions.allow of your settings`,
  )
}

function readAnsweredRule(
  pattern: string,
  { workspace, homeFolder }: PolicySurroundings,
  digest: string | undefined,
): RuleSet {
  const origin = { source: 'session', file: 'the answer' } as const
  return readConfirmedRule(pattern, { roots: { folder: workspace, home: homeFolder }, origin, digest })
}

function cannotRemember(): Observable<RuleSet> {
  return throwError(() => new Failure('not_allowed', 'Rules cannot be stored here; allow the call for this session'))
}

function denial(thrown: unknown): Observable<PolicyVerdict> {
  const reason = `The policy could not decide: ${describeThrown(thrown)}.`
  return of({ decision: 'deny', by: 'protected', reason })
}
