// The terminals of a client: a command runs where a person sees it, and is followed and ended.
import type { Observable } from 'rxjs'

/** UTF-8 bytes of the end of an output that a client holds for a command. */
export const clientOutputBytes = 2 ** 20

/** A program to run in a terminal of the client. */
export interface TerminalCommand {
  /** Absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  /** Added to the environment that the client gives its terminals. */
  readonly env: Readonly<Record<string, string>>
  /** UTF-8 bytes of the end of the output that the client holds. */
  readonly outputBytes: number
}

export interface TerminalOutput {
  readonly text: string
  /** True if the beginning is not there any more. */
  readonly truncated: boolean
}

/** Null or absent as an operating system reports them: the exit code of a program that a signal ended. */
export interface TerminalExit {
  readonly exitCode: number | null
  readonly signal: string | null
}

/**
 * A command in a terminal of the client. Each method fails with a Failure if the client answers with an error or leaves.
 */
export interface ClientTerminal {
  /** Emits the output so far. Fails if the client does not answer in time. */
  output(): Observable<TerminalOutput>
  /** Emits once when the command has ended, and waits for that without a limit. */
  exit(): Observable<TerminalExit>
  /** Asks the client to end the command; `exit` emits afterwards. Fails if the client does not answer in time. */
  kill(): Observable<void>
  /** Ends the command if it runs, and gives the terminal back. Waits for nothing; a second call does nothing. */
  release(): void
}

export interface ClientTerminals {
  /**
   * Starts the command, and emits once. Fails with a Failure if the client refuses, does not answer in time, or leaves: the
   * command has not begun then, or the client ends it. Unsubscribing before takes the request back.
   * @param toolCallId the call that the command belongs to, for the client to show it there
   */
  create(command: TerminalCommand, toolCallId: string): Observable<ClientTerminal>
}

/** The terminals that a client offers to a session. */
export interface TerminalsOffer {
  /** Another client's terminals are used in place of these, or these are used again. */
  onReplaced?(isReplaced: boolean): void
  readonly terminals: ClientTerminals
}
