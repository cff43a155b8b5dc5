// Wraps a command for bash: begins in a folder, prints folder and variables before and after.
// Guarantees: exit code, output and traps of the command stay as they are. A command that replaces the EXIT trap or the
// shell (exec) prints no state at its end.
import { shellQuote } from '../../../host/process/shell-quote.ts'

/** Beside the descriptors that scripts use; a state goes where standard output went at the start. */
const descriptor = 199

export interface PersistentScript {
  /** Absolute. If it cannot be entered, the command does not run and one empty state is printed. */
  readonly folder: string
  /** Letters and digits that no command can guess. */
  readonly nonce: string
}

/** How a command continues the shell of the one before. Without bash it has no effect. */
export interface PersistentShell extends PersistentScript {
  /** Variables to set; undefined: to remove. */
  readonly changes: ReadonlyMap<string, string | undefined>
  /** Called with the state at the start and at the end; once with undefined if the folder cannot be entered. */
  onState(state: PrintedState | undefined): void
}

/** The folder and the exported variables of a shell at a moment. */
export interface PrintedState {
  /** Absolute and real. */
  readonly folder: string
  readonly variables: ReadonlyMap<string, string>
}

export function persistentScript(command: string, { folder, nonce }: PersistentScript): string {
  const { begin, end } = stateMarks(nonce)
  const mark = (text: string): string => `builtin printf ${shellQuote(text.replaceAll('\0', String.raw`\000`))}`
  const variables = String.raw`for n in $(compgen -e); do builtin printf '%s=%s\000' "$n" "${'$'}{!n-}"; done`
  const state = String.raw`builtin pwd -P; builtin printf '\000'; local IFS=$'\n' n; ${variables}`
  const print = `__rxpi_state() { ${mark(begin)}; [ -z "$1" ] || { ${state}; }; ${mark(end)}; } >&${descriptor} 2>/dev/null`
  const enter = `cd -- ${shellQuote(folder)} 2>/dev/null || { __rxpi_state; exit 1; }`
  const atEnd = `trap '{ set +xveu; trap - DEBUG ERR; } 2>/dev/null; __rxpi_state all' EXIT`
  return `exec ${descriptor}>&1; ${print}; ${enter}; __rxpi_state all; ${atEnd}; eval -- ${shellQuote(command)}`
}

/** The text before and after a state in the output. */
export function stateMarks(nonce: string): { readonly begin: string; readonly end: string } {
  return { begin: `\0${nonce}<`, end: `>${nonce}\0` }
}
