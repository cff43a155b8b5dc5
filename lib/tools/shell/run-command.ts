// Runs a command of a model or a person in one shell.
// It has one process group and one bounded record of its output.
import { concatMap, defer, EMPTY, finalize, identity, map, of, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { shellQuote } from '../../host/process/shell-quote.ts'
import { spawnTerminal } from '../../host/process/terminal.ts'
import { spawnProcess } from '../../host/process/spawn-process.ts'
import type {
  ConfinedEnd,
  ConfinedEvent,
  ConfinedIntruders,
  ConfinedOutput,
  ConfinedProgram,
  SessionSandbox,
} from '../../streams/ports/sandbox.ts'
import type { ToolContext, ToolProgress } from '../../streams/ports/tool.ts'
import type { Redaction } from '../../streams/ports/secrets.ts'
import type { ShellContext } from '../../streams/ports/user-shell.ts'
import { findShell, noShell } from './find-shell.ts'
import { joinOutput } from './join-output.ts'
import { persistentScript } from './persist/shell-script.ts'
import type { PersistentScript, PersistentShell } from './persist/shell-script.ts'
import { takeStates } from './persist/take-states.ts'
import { limitedShell } from './process-limit.ts'
import { recordOutput } from './output-record.ts'
import type { RecordedOutput } from './output-record.ts'
import { redactOutput } from './redact-output.ts'
import { createSpillFile } from '../../host/files/spill-file.ts'
import { withoutPrompts } from './missing-terminal.ts'

export interface CommandOptions extends Pick<ToolContext, 'cwd' | 'env' | 'sessionId'> {
  /** Its first value ends the command; the stream continues until it has ended. */
  readonly endWhen$: Observable<unknown>
  /** Absolute folder for the full output; undefined: the rest is dropped. */
  readonly spillFolder: string | undefined
  /** True: standard output and errors are one stream, in order of arrival. Default false. */
  readonly merged?: boolean
  /** Runs the command in a terminal that takes this input. Default: standard input is empty. */
  readonly input$?: Observable<string> | undefined
  /** Hides secrets before the output is stored or emitted. Default: nothing is hidden. */
  readonly redaction?: Redaction | undefined
  /**
   * Begins in another folder with changed variables, and reports where bash ends. Default: in `cwd` with `env` alone.
   */
  readonly persist?: PersistentShell | undefined
  /** As `persist` without a report, and without bash too. */
  readonly shellContext?: ShellContext | undefined
  /** Where the command runs. Default: outside of any sandbox. */
  readonly sandbox?: Pick<SessionSandbox, 'spawn'> | undefined
}

/** The end of the command, with its output. */
export interface CommandEnd {
  readonly type: 'command_end'
  readonly end: ConfinedEnd
  readonly output: RecordedOutput
  /** Entries that it created at forbidden paths of a sandbox. */
  readonly intruders?: ConfinedIntruders
}

/**
 * Output as progress, at most 20 pieces a second, then one end. Fails with a Failure if the command cannot be started.
 * Unsubscribing ends its processes and removes its stored output.
 */
export function runCommand(command: string, options: CommandOptions): Observable<ToolProgress | CommandEnd> {
  return defer(() => {
    const { cwd, env, sessionId, endWhen$, spillFolder: folder, merged = false, input$, redaction, sandbox } = options
    const program = findShell(env['PATH'], cwd)
    if (program === undefined) return throwError(() => noShell())
    const record = recordOutput(folder === undefined ? undefined : () => createSpillFile({ folder, sessionId }))
    let intruders: ConfinedIntruders | undefined
    const persist = program.endsWith('/bash') ? options.persist : undefined
    const shellContext = persist ?? options.shellContext
    const variables = shellContext === undefined ? env : changeVariables(env, shellContext.changes)
    const surroundings = input$ === undefined ? { env: withoutPrompts(variables) } : { env: variables, input$ }
    const start = {
      ...limitedShell(program, scriptOf(command, persist, options.shellContext)),
      cwd,
      endWhen$,
      ...surroundings,
    }
    return spawnIn(sandbox, start).pipe(
      persist === undefined ? identity : takeStates(persist.nonce, persist.onState),
      concatMap((event) => {
        if (event.type !== 'fence') return of(withoutNul(event))
        intruders = event
        return EMPTY
      }),
      redaction === undefined ? identity : redactOutput(redaction),
      tap((event) => (event.type === 'output' ? record.add(event.text) : undefined)),
      map((event) => (merged && event.type === 'output' ? { ...event, stream: 'stdout' as const } : event)),
      joinOutput<ConfinedEnd>(),
      map((event) => (event.type === 'end' ? endOf(event, record.finish(), intruders) : event)),
      finalize(() => record.discard()),
    )
  })
}

function scriptOf(
  command: string,
  persist: PersistentScript | undefined,
  shellContext: ShellContext | undefined,
): string {
  if (persist !== undefined) return persistentScript(command, persist)
  // not as its working folder: it may exist in the sandbox alone
  if (shellContext !== undefined) return `cd -- ${shellQuote(shellContext.folder)} || exit 1\n${command}`
  return /^[-+]/.test(command) ? ` ${command}` : command // a dash would begin an option of the shell
}

function changeVariables(env: CommandOptions['env'], changes: ShellContext['changes']): CommandOptions['env'] {
  const changed = new Map<string, string | undefined>([...Object.entries(env), ...changes])
  return Object.fromEntries([...changed].filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function spawnIn(sandbox: CommandOptions['sandbox'], program: ConfinedProgram): Observable<ConfinedEvent> {
  if (sandbox !== undefined) return sandbox.spawn(program)
  const { input$ } = program
  return input$ === undefined ? spawnProcess(program) : spawnTerminal({ ...program, input$ })
}

function endOf(end: ConfinedEnd, output: RecordedOutput, intruders: ConfinedIntruders | undefined): CommandEnd {
  return { type: 'command_end', end, output, ...(intruders === undefined ? {} : { intruders }) }
}

/** Text with NUL cannot be read by other tools, nor used in a command. */
function withoutNul(event: ConfinedOutput | ConfinedEnd): ConfinedOutput | ConfinedEnd {
  if (event.type === 'end' || !event.text.includes('\0')) return event
  return { ...event, text: event.text.replaceAll('\0', '\u{FFFD}') }
}
