// A situation is data and small acts that know neither agent: both play the same answers, tools, hooks and commands.
import type { TObject, Type } from '@sinclair/typebox'
import type { Difference } from './difference.ts'

/** A step of a scripted answer, in the order in which the provider tells it. */
export type AnswerStep =
  | { readonly says: readonly string[] }
  | { readonly thinks: readonly string[] }
  /** `cut`: the call is not closed, its arguments are not whole. */
  | { readonly calls: string; readonly tool: string; readonly args: Record<string, unknown>; readonly cut?: true }
  /** The answer has begun: what comes next may fail or wait before its first delta. */
  | { readonly begins: true }
  /** Nothing more comes until the request is aborted. */
  | { readonly waits: true }
  | { readonly fails: string }
  /** The stop reason. Default `toolUse` where there are calls, else `stop`. */
  | { readonly ends: 'stop' | 'length' | 'toolUse' }

export type Answer = readonly AnswerStep[]

/** The person at the agent: nothing here throws, and promises settle when the run that was asked for is over or refused. */
export interface Person {
  prompt(text: string): Promise<void>
  continue(): Promise<void>
  steer(text: string): void
  followUp(text: string): void
  abort(): void
  /** Forgets the transcript and what is queued. */
  reset(): Promise<void>
  /** Forgets what comes after the transcript's first `count` messages. */
  rewind(count: number): Promise<void>
  clearQueues(): void
  setMode(queue: 'steering' | 'followUp', mode: 'one-at-a-time' | 'all'): void
  /** Lets the tools that wait for this gate go on. */
  open(gate: string): void
}

/** What a scripted tool is given. */
export interface ToolRun {
  readonly id: string
  readonly args: Readonly<Record<string, unknown>>
  readonly person: Person
  progress(text: string): void
  /** Resolves when the gate is opened. */
  gate(name: string): Promise<void>
  /** Taking it tells the agent that the tool ends by itself when the signal aborts. */
  readonly signal: AbortSignal
}

export interface ToolAnswer {
  /** Absent: the result has no content, as tools without types may have it. */
  readonly text?: string
  readonly terminate?: boolean
}

export interface ScriptedTool {
  readonly name: string
  /** Made with the agent's own version of TypeBox, as its users do. */
  parameters(types: typeof Type): TObject
  /** Repairs the arguments before they are validated. */
  prepare?(args: Record<string, unknown>): Record<string, unknown>
  /** Not beside others: pi's `executionMode: 'sequential'`, our `mustSerial`. */
  readonly serial?: true
  run(run: ToolRun): Promise<string | ToolAnswer>
}

/** The call as hooks are told of it. */
export interface HookedCall {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** An act of the person's in the very moment in which a line is told, from within the subscriber. */
export interface Reaction {
  /** How the line begins, e.g. `xe(c1`. */
  readonly at: string
  /** Which of these lines. Default: the first. */
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
  /** What replaces the result, or undefined. May throw. */
  after?(
    call: HookedCall,
  ): { readonly text?: string; readonly terminate?: boolean; readonly isError?: boolean } | undefined
  /** Done to the context before each request. May throw. */
  transform?(): void
  readonly on?: readonly Reaction[]
  /** What the person does, from beginning to end. */
  course(person: Person): Promise<void>
  /** Where the two agents differ on purpose. Default: nowhere. */
  readonly differs?: readonly Difference[]
}
