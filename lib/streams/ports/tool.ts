// The Tool port: name, schema and capability of a tool, and its execution.
// A tool has a parameter schema, metadata for scheduling and policy, and `execute`, which emits progress and one
// result.
import type { Static, TObject } from '@sinclair/typebox'
import type { Observable } from 'rxjs'
import type { Ask } from './ask.ts'
import type { ClientFiles } from '../environment/file-exchange.ts'
import type { ClientTerminals } from '../environment/terminal-exchange.ts'
import type { Jobs } from './jobs.ts'
import type { Locks, ToolLocks } from './locks.ts'
import type { SessionSandbox } from './sandbox.ts'
import type { Redaction } from './secrets.ts'
import type { EventNamed } from '../events/event.ts'
import type { UserContent } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import type { ArgumentsValidator } from '../schema/compiled-validator.ts'

/** The parts of a tool that a model receives. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: TObject
}

/** Live output: pieces are appended per `updateType`, in order; pieces after the result are ignored. */
export interface ToolProgress {
  readonly type: 'progress'
  readonly updateType: EventNamed<'tool_execution_update'>['updateType']
  readonly content: string
  /**
   * UTF-16 units of this `updateType` before the piece; absent: those emitted so far. A tool that skips output jumps
   * ahead, and the gap shows.
   */
  readonly offset?: number
  /** 0 to 100, for clients that draw a bar. */
  readonly progressPercent?: number
}

/**
 * A tool's only result. `terminate` asks to end the run after this turn; it applies only if every result of the batch
 * sets it.
 */
export interface ToolResult {
  readonly type: 'result'
  readonly content: readonly UserContent[]
  /** For people and programs, never for the model. */
  readonly details?: unknown
  readonly isError?: boolean
  readonly terminate?: boolean
}

/**
 * Output of `execute`: an Observable of progress and one result, a promise of a result, an async generator that yields
 * progress and returns (or yields) the result, or the result itself.
 */
export type ToolOutput =
  | Observable<ToolProgress | ToolResult>
  | PromiseLike<ToolResult>
  | AsyncIterable<ToolProgress | ToolResult>
  | ToolResult

/** The answer to a plan. `not_planning`: the phase of the session does not end with one. */
export interface PlanAnswer {
  readonly outcome: 'accepted' | 'rejected' | 'unattended' | 'not_planning'
  /** Of an accepted plan, the plan as the person changed it; of a rejected one, the person's words. */
  readonly text?: string
  /** The phase that follows an accepted plan. */
  readonly phase?: string
}

/** The surroundings of a tool call. */
export interface ToolContext {
  readonly cwd: string
  /** The client's environment, for child processes. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Aborts if the call is aborted or exceeds its time, never after a result. Its `reason` is a DOMException named `AbortError`
   * or `TimeoutError`. A tool that reads this property promises to end by itself: after an abort it gets the grace time before
   * it is unsubscribed.
   */
  readonly signal: AbortSignal
  readonly sessionId: string
  readonly toolCallId: string
  /**
   * Asks the user. The wait does not count in the tool's `timeoutMs`. Without a session, the default applies at once.
   */
  readonly ask: Ask
  /** Replaces the session's plan: writes `plan_update`. Absent: there is no session to hold it. */
  readonly plan?: (items: EventNamed<'plan_update'>['items']) => void
  /** Asks the user about a plan: emits the answer once. The wait does not count in `timeoutMs`. Absent: no phase ends with one. */
  readonly proposePlan?: (plan: string) => Observable<PlanAnswer>
  /** The locks of the server. Absent: the call runs where no other session can run. */
  readonly locks?: Locks
  /**
   * Hides secrets in text that the tool stores by itself, such as a file with a long output. Progress and result are
   * redacted without it. Absent: nothing is hidden.
   */
  readonly redaction?: Redaction
  /** Background jobs of the session. Absent: commands cannot go on beside the run. */
  readonly jobs?: Jobs
  /** The sandbox of the session, ready. Absent: commands and file tools are not confined. */
  readonly sandbox?: SessionSandbox
  /** Returns the files that a client offers now. Absent, or undefined: files are read and written on the disk. */
  readonly clientFiles?: (() => ClientFiles | undefined) | undefined
  /** Returns the terminals that a client offers now. Absent, or undefined: commands run on this machine without one. */
  readonly clientTerminals?: (() => ClientTerminals | undefined) | undefined
}

export const capabilities = ['read', 'write', 'http', 'events', 'session', 'ui', 'exec', 'env', 'tool', 'log'] as const

/** Ability of a tool; policy decides by it. `execute` and `network` are earlier names of `exec` and `http`. */
export type Capability = (typeof capabilities)[number] | 'execute' | 'network'

/** The capability under its present name. @param declared default `exec`: a missing declaration opens no hole */
export function capabilityOf(declared: Capability = 'exec'): (typeof capabilities)[number] {
  if (declared === 'execute') return 'exec'
  return declared === 'network' ? 'http' : declared
}

/** Origin of a tool that neither rxpi nor its program has. `search_tools` finds the tool by these words too. */
export interface ToolOrigin {
  /** The name of the extension, the client or the MCP server. */
  readonly server: string
  /** The tool's name there. */
  readonly tool?: string
  /** A title for people. */
  readonly label?: string
}

/** Where a call will work, for a tool that keeps a working folder and variables between calls. */
export interface WorkingContext {
  /** Absolute; relative paths of the arguments are below it. */
  readonly cwd: string
  /** Names of variables that earlier calls changed and that decide which programs run (`PATH`). */
  readonly changed: readonly string[]
}

/** The MCP server that a tool comes from. */
export interface McpToolSource {
  /** The name of the server in the configuration. */
  readonly server: string
  /** The server's own name of the tool. */
  readonly tool: string
  /** SHA-256 of all that the server says about the tool: a remembered approval counts for the same digest alone. */
  readonly digest: string
  /** The server's name of the tool for people. */
  readonly label?: string
}

/**
 * `Args`: what the methods receive; it differs from the schema's own type if that is a Standard Schema. `Output`: what `execute`
 * returns.
 */
export interface Tool<
  Parameters extends TObject = TObject,
  Args = Static<Parameters>,
  Output extends ToolOutput = ToolOutput,
> extends ToolDefinition {
  readonly parameters: Parameters
  /** True if the tool leaves nothing changed. Default false. */
  readonly sideEffectFree?: boolean
  /** Runs alone in its batch. Default false. */
  readonly mustSerial?: boolean
  /** The locks that the call holds while it runs. Default: none. */
  locks?(args: Args, context: Pick<ToolContext, 'cwd'>): ToolLocks
  /**
   * True if the tool keeps to `context.sandbox`: it runs commands by `spawn` but for calls with `escalate`, and opens files
   * behind the fence. Default false: policy counts its calls as not confined.
   */
  readonly sandboxed?: boolean
  /** Default `exec`: the strongest, so that a missing declaration opens no hole. */
  readonly capability?: Capability
  /** Set if the tool is of an MCP server. Default: it is not. */
  readonly mcp?: McpToolSource
  /** The tool is left out of a session that does not grant this scope. Default: none is needed. */
  readonly requiredScope?: string
  /** Asks the user before each call, even if all other tools run without asking. Default false. */
  readonly alwaysAsk?: boolean
  /** Milliseconds after which the call is ended with an error result; 0 = none. Default 120,000. */
  readonly timeoutMs?: number
  /** UTF-8 bytes of text after which a result is cut, with a notice for the model; 0 or less = none. Default 51,200. */
  readonly maxResultBytes?: number
  /** Set: requests may leave the tool out, and `search_tools` finds it (docs/tool-search.md). Default: requests list it. */
  readonly origin?: ToolOrigin
  /** Set if the schema was compiled ahead of time; otherwise `createSession` compiles it on first use. */
  readonly validate?: ArgumentsValidator
  /**
   * The schema that a model receives in place of `parameters`, by which calls are checked all the same. A session sets it by
   * the rules of the model's API. Default: `parameters`.
   */
  parametersFor?(model: Model): TObject
  /** Repairs arguments that older models send, before validation. It receives a copy. */
  prepareArguments?(args: Record<string, unknown>): Record<string, unknown>
  /**
   * Where the call will work; policy judges it there. Called for each decision, at last for the one that counts. Default:
   * the session's folder.
   */
  workingContext?(args: Args, context: Pick<ToolContext, 'cwd' | 'toolCallId'>): WorkingContext
  /** The unified diff that the call would make, for the approval question. It changes nothing. */
  previewDiff?(args: Args, context: Pick<ToolContext, 'cwd' | 'clientFiles'>): Observable<string | undefined>
  /** Starts the call. Unsubscribing its Observable ends everything it started; other outputs end by `context.signal`. */
  execute(args: Args, context: ToolContext): Output
}

/** A tool whose `execute` returns an Observable, as the built-in tools do. */
export type StreamTool<Parameters extends TObject = TObject> = Tool<
  Parameters,
  Static<Parameters>,
  Observable<ToolProgress | ToolResult>
>

/** A tool with any parameters, as a registry holds it. Its `execute` receives validated arguments only. */
export interface AnyTool extends Omit<Tool, 'locks' | 'execute' | 'previewDiff' | 'workingContext'> {
  // method syntax: parameters are bivariant, so that a Tool<P> is assignable
  locks?(args: never, context: Pick<ToolContext, 'cwd'>): ToolLocks
  workingContext?(args: never, context: Pick<ToolContext, 'cwd' | 'toolCallId'>): WorkingContext
  previewDiff?(args: never, context: Pick<ToolContext, 'cwd' | 'clientFiles'>): Observable<string | undefined>
  execute(args: never, context: ToolContext): ToolOutput
}

/** Progress as text, for people and programs. `percent` is that of the whole call. */
export function progress(
  text: string,
  {
    percent,
    updateType = 'progress',
  }: { readonly percent?: number; readonly updateType?: ToolProgress['updateType'] } = {},
): ToolProgress {
  return { type: 'progress', updateType, content: text, ...(percent === undefined ? {} : { progressPercent: percent }) }
}

/** A text result. */
export function textResult(text: string, more: Omit<ToolResult, 'type' | 'content'> = {}): ToolResult {
  return { type: 'result', content: [{ type: 'text', text }], ...more }
}

/** An error result whose text the model reads. */
export function errorResult(text: string, more: Omit<ToolResult, 'type' | 'content' | 'isError'> = {}): ToolResult {
  return textResult(text, { ...more, isError: true })
}

/** The origin of a tool, also as a tool of an MCP server has it. */
export function originOf(tool: AnyTool): ToolOrigin | undefined {
  return tool.origin ?? tool.mcp
}
