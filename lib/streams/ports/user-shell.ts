// A person's own command as a port: output as it comes, then one end; what runs it is the host's.
import type { Observable } from 'rxjs'

/** A piece of its output, standard output and errors in the order in which they came. */
export interface ShellOutput {
  readonly type: 'output'
  readonly content: string
  /** UTF-16 units that came before; it jumps ahead where there was too much to show. */
  readonly offset: number
}

/** Nothing of the command is left. */
export interface ShellEnd {
  readonly type: 'end'
  /** The end of the output, bounded, without escape sequences for terminals. */
  readonly output: string
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  readonly truncated: boolean
  /** Where all of a truncated output is, if it could be kept. */
  readonly fullOutputPath?: string
}

/**
 * Runs a command in the session's folder and environment, without a time limit. Emits at most 20 pieces a second, then one
 * end; never fails: what keeps it from starting is its output. `endWhen$` ends it, SIGTERM first, SIGKILL after 2 s.
 */
export type UserShell = (command: string, endWhen$: Observable<unknown>) => Observable<ShellOutput | ShellEnd>
