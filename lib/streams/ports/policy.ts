// The Policy port: decides whether a tool call may run, from its tool and its final arguments.
// Guarantees: the verdict rests on the arguments that the tool receives; a change of them needs a new verdict.
import type { Observable } from 'rxjs'
import type { PhaseRules } from './scenarios.ts'
import type { AnyTool } from './tool.ts'

/** `ask` refuses if no client can answer. */
export type PolicyAnswer = 'allow' | 'ask' | 'deny'

/**
 * `ask`: everything but reads asks; `writes`: writes and commands ask; `auto`: only critical commands, protected files
 * and ask rules ask. A denial stays a denial in every mode.
 */
export const approvalModes = ['ask', 'writes', 'auto'] as const
export type ApprovalMode = (typeof approvalModes)[number]

/** The mode that asks most. A mode that a log recorded may tighten the configured one, and never loosens it. */
export function strictestMode(first: ApprovalMode, ...others: readonly (string | undefined)[]): ApprovalMode {
  return approvalModes.find((mode) => mode === first || others.includes(mode)) ?? first
}

/** A phase's rules for calls, with its names. */
export interface PolicyPhase extends PhaseRules {
  readonly scenario: string
  readonly name: string
}

/** A call after hooks and validation. */
export interface PolicyRequest {
  readonly tool: Pick<AnyTool, 'name' | 'capability' | 'alwaysAsk' | 'mcp'>
  readonly args: Readonly<Record<string, unknown>>
  /** The folder in which the call works, absolute: that of the session, unless the tool names another. */
  readonly cwd: string
  /**
   * Variables that earlier calls changed and that decide which programs run: no allow counts for commands. Default:
   * none.
   */
  readonly changed?: readonly string[]
  readonly mode: ApprovalMode
  /** The phase of a scenario that holds: it refuses calls, and allows none. Absent: no phase holds. */
  readonly phase?: PolicyPhase | undefined
  /** True if an OS sandbox that works confines the call. */
  readonly isSandboxed: boolean
  /** Absolute folders that count as inside beside the workspace, for a call in the sandbox. Default: none. */
  readonly inside?: readonly string[]
  /** True if the call asks to run outside a sandbox that works (`escalate`). Default false. */
  readonly escalates?: boolean
  /** The strictest answer of the hooks; it can tighten the decision and never loosens it. Absent: no hook answered. */
  readonly hook?: { readonly decision: PolicyAnswer; readonly reason?: string }
}

/** How dangerous a command is: `critical` asks in every mode. */
export type Tier = 'critical' | 'high' | 'medium'

export interface PolicyVerdict {
  readonly decision: PolicyAnswer
  /** For people and the model: why, in plain words. */
  readonly reason: string
  /**
   * The layer that decided: `scenario`, `protected`, `class`, `rule`, `capability`, `mode`, `sandbox`, `hook` or
   * `remembered`.
   */
  readonly by: string
  /** The rule, as its file has it. */
  readonly rule?: string
  /** The most dangerous class of a command. */
  readonly class?: string
  readonly tier?: Tier
  /** The rule that a user may add with the answer; absent if no rule may cover the call. */
  readonly pattern?: string
  /** True if every such call asks: no remembered answer and no allow rule lowers the verdict. */
  readonly asksEachTime?: boolean
}

/**
 * How long a pattern that a person confirmed counts: until the session closes, or in later sessions of the folder too.
 */
export type PatternScope = 'session' | 'always'

/** Decides about each tool call. */
export interface Policy {
  /** Emits one verdict and completes; synchronous once its parts are loaded. Never fails: an error is a denial. */
  decide(request: PolicyRequest): Observable<PolicyVerdict>
  /**
   * Allows exactly this call, with these arguments, folder and sandbox, until the session closes. Absent: it cannot.
   */
  rememberCall?(request: PolicyRequest): void
  /**
   * Adds an allow rule that a person confirmed: cold, completes when the rule counts, and with `always` is stored.
   * Fails with `bad_request` if the text is not a rule, `storage` or `bad_config` if it cannot be stored. Absent: it
   * cannot.
   * @param call the call that the person was asked about; a rule about a tool of an MCP server counts for its digest alone
   */
  addPattern?(pattern: string, scope: PatternScope, call?: PolicyRequest): Observable<void>
}
