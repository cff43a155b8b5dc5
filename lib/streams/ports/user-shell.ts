// Port that runs a shell command of the user: output as it comes, then one end.
import type { Observable } from 'rxjs'

/** A piece of output; standard output and errors in the order in which they came. */
export interface ShellOutput {
  readonly type: 'output'
  readonly content: string
  /** UTF-16 units before this piece; it jumps if output was skipped. */
  readonly offset: number
}

/** Last value: no process of the command is left. */
export interface ShellEnd {
  readonly type: 'end'
  /** The end of the output, bounded, without terminal escape sequences. */
  readonly output: string
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly truncated: boolean
  /** File with the whole output if it was cut and could be stored. */
  readonly fullOutputPath?: string
}

/**
 * Runs a command in the session's folder and environment, without a time limit. Emits at most 20 pieces a second, then
 * one end; never fails: a start failure becomes output. `endWhen$` ends it, SIGTERM first, SIGKILL after 2 s.
 */
export interface UserShell {
  (
    command: string,
    endWhen$: Observable<unknown>,
    terminal?: ShellTerminal,
    shellContext?: ShellContext,
  ): Observable<ShellOutput | ShellEnd>
  /**
   * Completes if commands can run in a terminal; else fails with a Failure that names what is missing. Absent: they
   * can.
   */
  readonly terminalCheck$?: Observable<never>
}

/** Where another command of the session ended (setting `bash.persist`). */
export interface ShellContext {
  /** Absolute; if it cannot be entered, the command does not run. */
  readonly folder: string
  /** Variables to set; undefined: to remove. */
  readonly changes: ReadonlyMap<string, string | undefined>
}

/** Runs the command in a terminal instead of with an empty standard input. */
export interface ShellTerminal {
  /** Typed into the terminal. */
  readonly input$: Observable<string>
}
