// The type of a situation: answers, tools, hooks and commands that both agents play.
import type { TObject, Type } from '@sinclair/typebox'
import type { Difference } from './difference.ts'

/** A step of a scripted answer, in the order in which the provider emits it. */
export type AnswerStep =
  | { readonly says: readonly string[] }
  | { readonly thinks: readonly string[] }
  /** `cut`: the call is not closed, its arguments are incomplete. */
  | { readonly calls: string; readonly tool: string; readonly args: Record<string, unknown>; readonly cut?: true }
  /** The answer has begun: the next step can fail or wait before its first delta. */
  | { readonly begins: true }
  /** No more steps until the request is aborted. */
  | { readonly waits: true }
  | { readonly fails: string }
  /** The stop reason. Default `toolUse` if there are calls, else `stop`. */
  | { readonly ends: 'stop' | 'length' | 'toolUse' }

export type Answer = readonly AnswerStep[]

/** The user of the agent: no member throws, and promises settle when the requested run is over or refused. */
export interface Person {
  prompt(text: string): Promise<void>
  continue(): Promise<void>
  steer(text: string): void
  followUp(text: string): void
  abort(): void
  /** Drops the transcript and the queues. */
  reset(): Promise<void>
  /** Drops the messages behind the transcript's first `count` ones. */
  rewind(count: number): Promise<void>
  clearQueues(): void
  setMode(queue: 'steering' | 'followUp', mode: 'one-at-a-time' | 'all'): void
  /** Lets the tools that wait for this gate continue. */
  open(gate: string): void
}

/** The arguments of a scripted tool. */
export interface ToolRun {
  readonly id: string
  readonly args: Readonly<Record<string, unknown>>
  readonly person: Person
  progress(text: string): void
  /** Resolves when the gate is opened. */
  gate(name: string): Promise<void>
  /** A read of it declares that the tool ends by itself when the signal aborts. */
  readonly signal: AbortSignal
}

export interface ToolAnswer {
  /** Absent: the result has no content, as untyped tools can return it. */
  readonly text?: string
  readonly terminate?: boolean
}

export interface ScriptedTool {
  readonly name: string
  /** Made with the agent's own version of TypeBox, as its users do. */
  parameters(types: typeof Type): TObject
  /** Repairs the arguments before they are validated. */
  prepare?(args: Record<string, unknown>): Record<string, unknown>
  /** Never in parallel: pi's `executionMode: 'sequential'`, our `mustSerial`. */
  readonly serial?: true
  run(run: ToolRun): Promise<string | ToolAnswer>
}

/** The call as hooks get it. */
export interface HookedCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** An action of the user at the moment of a line, from within the subscriber. */
export interface Reaction {
  /** How the line begins, e.g. `xe(c1`. */
  readonly at: string
  /** The index among these lines. Default: the first. */
  readonly nth?: number
  act(person: Person): void
}

export interface Situation {
  readonly name: string
  readonly answers: readonly Answer[]
  readonly tools?: readonly ScriptedTool[]
  readonly sequential?: true
  readonly steeringMode?: 'all'
  readonly followUpMode?: 'all'
  /** The reason for which the call is blocked, or undefined. */
  before?(call: HookedCall): string | undefined
  /** The replacement of the result, or undefined. May throw. */
  after?(
    call: HookedCall,
  ): { readonly text?: string; readonly terminate?: boolean; readonly isError?: boolean } | undefined
  /** Changes the context before each request. May throw. */
  transform?(): void
  readonly on?: readonly Reaction[]
  /** The actions of the user, from beginning to end. */
  steps(person: Person): Promise<void>
  /** The deliberate differences between the agents. Default: none. */
  readonly differs?: readonly Difference[]
}
