// Contract between the parts of the evaluator: what runs, what was found, and how nested text is run.
import type { ParsedScript } from 'unbash'
import type { CommandClass, CommandContext, Unknown } from './command-analysis.ts'
import type { FunctionBody, ShellState } from './shell-state.ts'

/** A redirection after expansion. */
export interface RunRedirection {
  readonly mode: 'read' | 'write' | 'both' | 'duplicate' | 'text'
  /** Word with marks: the file, or the descriptor of a duplicate. */
  readonly target: string | undefined
  readonly descriptor: number
  /** Text of a here-document or here-string. */
  readonly text?: string
}

/** A program call after expansion; words are strings with marks. */
export interface Invocation {
  readonly words: readonly string[]
  readonly assignments: readonly { readonly name: string; readonly value: string }[]
  readonly redirections: readonly RunRedirection[]
}

/** Surroundings of an invocation. */
export interface Frame {
  readonly context: readonly CommandContext[]
  readonly wrapper?: string
  /** Text on standard input with marks; undefined if nothing is piped in. */
  readonly stdin?: string
  /** Number of nested texts, functions and wrappers around it. */
  readonly depth: number
  /** Functions that are running, innermost last. */
  readonly calls: readonly string[]
  /** Their bodies: one that runs already is not walked again. */
  readonly bodies: readonly FunctionBody[]
  /** True inside a pipe or in the background of the innermost function. */
  readonly spawns: boolean
}

/** Everything that a file, class or effect needs to know about the machine. */
export interface Scene {
  readonly home: string
  readonly workspace: string
}

/** Collects results. */
export interface Report {
  find(name: CommandClass, invocation: Invocation, why: string): void
  unknown(kind: Unknown['kind'], text: string, why: string): void
  /** Word with marks; resolved against the folders of the state. */
  write(word: string, state: ShellState): void
  read(word: string, state: ShellState): void
  assign(name: string): void
}

/** Runs parts on behalf of others. */
export interface Evaluator extends Report {
  readonly scene: Scene
  /** Adds a simple command to the result. */
  record(invocation: Invocation, frame: Frame, state: ShellState): void
  /** Texts of `trap`, which run when the shell ends. */
  readonly traps: { readonly text: string; readonly state: ShellState; readonly frame: Frame }[]
  /** Functions that were called; the bodies of the others are walked at the end. */
  readonly called: Set<string>
  /** Evaluates the body of a function. */
  runFunction(name: string, body: FunctionBody, state: ShellState, frame: Frame): void
  /** A new path that stands for the other end of a process substitution. */
  processPath(): string
  /** Evaluates source text in this state. */
  runText(source: string, state: ShellState, frame: Frame): void
  /** Evaluates text that may be no command: only the dangers and files that it shows count. */
  runGuess(source: string, state: ShellState, frame: Frame): void
  /** Evaluates a parsed script and returns its output with marks, without the last line ends. */
  outputOf(script: ParsedScript, state: ShellState, frame: Frame): string
  /** Evaluates a call whose words are expanded already. */
  runInvocation(invocation: Invocation, state: ShellState, frame: Frame): void
  /** True while the budget allows one more step; reports a limit when it ends. */
  spend(steps?: number): boolean
}
