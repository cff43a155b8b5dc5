// A tool has a schema for its arguments, metadata for scheduling and policy, and `execute`: progress, then exactly one result.
import type { Static, TObject } from '@sinclair/typebox'
import type { Observable } from 'rxjs'
import type { Ask } from './ask.ts'
import type { EventNamed } from '../events/event.ts'
import type { UserContent } from '../messages/message.ts'
import type { ArgumentsValidator } from '../schema/compiled-validator.ts'

/** What a model is told of a tool. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: TObject
}

/** Live output: pieces are appended per `updateType`, in order; late ones (after the result) are ignored. */
export interface ToolProgress {
  readonly type: 'progress'
  readonly updateType: EventNamed<'tool_execution_update'>['updateType']
  readonly content: string
  /**
   * UTF-16 units of this `updateType` that came before; absent: what was emitted so far. A tool that leaves output out
   * (too much to show) jumps ahead, and the gap shows.
   */
  readonly offset?: number
  readonly progressPercent?: number
}

/** A tool's one result. `terminate` asks to end the run after this turn; it counts only if every result of the batch asks. */
export interface ToolResult {
  readonly type: 'result'
  readonly content: readonly UserContent[]
  /** For people and programs, never for the model. */
  readonly details?: unknown
  readonly isError?: boolean
  readonly terminate?: boolean
}

/** What a tool may use of the world. */
export interface ToolContext {
  readonly cwd: string
  /** The client's environment: what child processes get. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Aborts with the call. Taking it (reading this property) says that the tool ends by itself: it is given the grace time
   * before it is unsubscribed.
   */
  readonly signal: AbortSignal
  readonly sessionId: string
  readonly toolCallId: string
  /** Asks a person. The time it takes does not count in the tool's `timeoutMs`. Where there is no session, the default counts at once. */
  readonly ask: Ask
}

/** Names whose holders must not overlap: writers with anybody, readers with writers (docs/loop.md#6). */
export interface ToolLocks {
  readonly read?: readonly string[]
  readonly write?: readonly string[]
}

/** What a tool can do to the world; policy looks at it. */
export type Capability = 'read' | 'write' | 'execute' | 'network'

export interface Tool<Parameters extends TObject = TObject> extends ToolDefinition {
  readonly parameters: Parameters
  /** Does nothing that could be seen afterwards. Default false. */
  readonly sideEffectFree?: boolean
  /** Runs alone in its batch. Default false. */
  readonly mustSerial?: boolean
  /** What the call holds while it runs. Default: nothing. */
  locks?(args: Static<Parameters>, context: Pick<ToolContext, 'cwd'>): ToolLocks
  /** Default `execute`: the strongest, so that a forgotten one is not a hole. */
  readonly capability?: Capability
  readonly requiredScope?: string
  /** A person is asked before each call, also where everything else runs unasked. Default false. */
  readonly alwaysAsk?: boolean
  /** Milliseconds after which the call is ended with an error result; 0 = none. Default 120,000. */
  readonly timeoutMs?: number
  /** Set where the schema was compiled ahead of time; otherwise `createSession` compiles it on first use. */
  readonly validate?: ArgumentsValidator
  /** Repairs what older models send before it is validated. It gets a copy. */
  prepareArguments?(args: Record<string, unknown>): Record<string, unknown>
  /** Progress, then one result; a Promise of a result is accepted. Unsubscribing ends everything it started. */
  execute(args: Static<Parameters>, context: ToolContext): Observable<ToolProgress | ToolResult> | Promise<ToolResult>
}

/** Any tool, whatever its parameters: what a registry holds. Its `execute` is called with validated arguments only. */
export interface AnyTool extends Omit<Tool, 'locks' | 'execute'> {
  // method syntax on purpose: parameters are bivariant, so that a Tool<P> fits
  locks?(args: never, context: Pick<ToolContext, 'cwd'>): ToolLocks
  execute(args: never, context: ToolContext): Observable<ToolProgress | ToolResult> | Promise<ToolResult>
}

/** A text result. */
export function textResult(text: string, more: Omit<ToolResult, 'type' | 'content'> = {}): ToolResult {
  return { type: 'result', content: [{ type: 'text', text }], ...more }
}

/** An error result whose text the model reads. */
export function errorResult(text: string, more: Omit<ToolResult, 'type' | 'content' | 'isError'> = {}): ToolResult {
  return textResult(text, { ...more, isError: true })
}

// Gives a tool literal the types of its schema; it changes nothing.

/**
 * `defineTool({ name, description, parameters: Type.Object({…}), execute: (args, context) => … })`: `args` has the static
 * type of `parameters`. Without `validate`, `createSession` compiles the schema on first
 * use; `openSession` of `rxpi/core` is given a `validatorOf`.
 */
export function defineTool<Parameters extends TObject>(tool: Tool<Parameters>): Tool<Parameters> {
  return tool
}
