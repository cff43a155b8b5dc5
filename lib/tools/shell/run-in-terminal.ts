// Runs a command in a terminal of a client: follows its output, ends it in time, and records its end.
// Guarantees: the terminal is released in every case; what is recorded is the output as the client has it at the end.
import {
  EMPTY,
  catchError,
  concat,
  concatMap,
  defer,
  exhaustMap,
  finalize,
  ignoreElements,
  interval,
  map,
  merge,
  of,
  take,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { findShell, noShell } from './find-shell.ts'
import { createSpillFile } from '../../host/files/spill-file.ts'
import { clientOutputBytes } from '../../streams/environment/terminal-exchange.ts'
import type {
  ClientTerminal,
  ClientTerminals,
  TerminalExit,
  TerminalOutput,
} from '../../streams/environment/terminal-exchange.ts'
import type { ConfinedEnd } from '../../streams/ports/sandbox.ts'
import type { Redaction } from '../../streams/ports/secrets.ts'
import { Failure } from '../../streams/values/failure.ts'
import { progress } from '../../streams/ports/tool.ts'
import type { ToolContext, ToolProgress } from '../../streams/ports/tool.ts'
import { withoutPrompts } from './missing-terminal.ts'
import { recordOutput } from './output-record.ts'
import type { RecordedOutput } from './output-record.ts'
import type { RemarkedEnd } from './sandbox-remarks.ts'

export interface TerminalOptions extends Pick<ToolContext, 'cwd' | 'env' | 'sessionId' | 'toolCallId'> {
  readonly terminals: ClientTerminals
  /** Its first value ends the command. */
  readonly endWhen$: Observable<unknown>
  /** Absolute folder for the full output; undefined: the rest is dropped. */
  readonly spillFolder: string | undefined
  /** Hides secrets before the output is stored or emitted. Default: nothing is hidden. */
  readonly redaction?: Redaction | undefined
}

/** Milliseconds between two looks at the output, and in which a command ends that the client was asked to end. */
const lookMs = 1_000
const graceMs = 5_000

/**
 * Output as progress, once a second as long as the client has all of it, then one end. Fails with a Failure if the client
 * refuses, leaves, or does not answer in time. Unsubscribing ends the command, and waits for nothing.
 */
export function runInTerminal(command: string, options: TerminalOptions): Observable<ToolProgress | RemarkedEnd> {
  return defer(() => {
    const { cwd, env, terminals, toolCallId } = options
    const program = findShell(env['PATH'], cwd)
    if (program === undefined) return throwError(() => noShell())
    // a program that asks gets no input, as without a terminal
    const args = ['-c', `exec </dev/null\n${command}`]
    const start = { program, args, cwd, env: withoutPrompts(env), outputBytes: clientOutputBytes }
    let hasStarted = false
    return terminals.create(start, toolCallId).pipe(
      concatMap((terminal) => {
        hasStarted = true
        return follow(terminal, options).pipe(finalize(() => terminal.release()))
      }),
      catchError((thrown: unknown) => throwError(() => explain(Failure.from(thrown), hasStarted))),
    )
  })
}

/** The same code, in words for the model. */
function explain({ code, message, data }: Failure, hasStarted: boolean): Failure {
  const text = hasStarted
    ? `The command ran in a terminal of the client, and its end is not known: ${message}. It may have taken effect.`
    : `The client opened no terminal for the command: ${message}.`
  return new Failure(code, text, { data })
}

/** How a command ended; `exit` is undefined if the client did not end it in time. */
interface Ending {
  readonly exit: TerminalExit | undefined
  readonly cutShort: boolean
}

function follow(terminal: ClientTerminal, options: TerminalOptions): Observable<ToolProgress | RemarkedEnd> {
  return defer(() => {
    const shown = shownText(options.redaction)
    return untilEnd(terminal, options.endWhen$, shown).pipe(
      concatMap((event) => {
        if ('type' in event) return of(event)
        return terminal
          .output()
          .pipe(
            concatMap((output) =>
              concat(shown.grow(plain(output.text)), shown.finish(), of(endOf(event, output, options))),
            ),
          )
      }),
    )
  })
}

/** Emits progress, then how the command ended. */
function untilEnd(
  terminal: ClientTerminal,
  endWhen$: Observable<unknown>,
  shown: ShownText,
): Observable<ToolProgress | Ending> {
  return defer(() => {
    let cutShort = false
    const exit$ = terminal.exit().pipe(map((exit): Ending => ({ exit, cutShort })))
    const overdue$ = endWhen$.pipe(
      take(1),
      tap(() => (cutShort = true)),
      concatMap(() => merge(quietly(terminal.kill()), timer(graceMs))),
      map((): Ending => ({ exit: undefined, cutShort: true })),
    )
    const looks$ = interval(lookMs).pipe(
      exhaustMap(() => terminal.output().pipe(catchError(() => EMPTY))), // the end is what counts
      takeWhile(({ truncated }) => !truncated),
      concatMap(({ text }) => shown.grow(plain(text))),
    )
    return merge(looks$, exit$, overdue$).pipe(takeWhile((event) => 'type' in event, true))
  })
}

function quietly(done$: Observable<unknown>): Observable<never> {
  return done$.pipe(
    ignoreElements(),
    catchError(() => EMPTY), // the wait for the end has a limit
  )
}

interface ShownText {
  /** Emits what the text has more than before; nothing if the client has rewritten its beginning. */
  grow(text: string): Observable<ToolProgress>
  /** Emits what may have been the beginning of a secret. */
  finish(): Observable<ToolProgress>
}

function shownText(redaction: Redaction | undefined): ShownText {
  const redacted = redaction?.preview()
  let known = ''
  const shown$ = (text: string): Observable<ToolProgress> =>
    text === '' ? EMPTY : of(progress(text, { updateType: 'stdout' }))
  return {
    grow: (text) =>
      defer(() => {
        if (!text.startsWith(known)) return EMPTY
        const more = text.slice(known.length)
        known = text
        return shown$(redacted === undefined ? more : redacted.push(more))
      }),
    finish: () => defer(() => shown$(redacted?.end() ?? '')),
  }
}

/** Terminals end lines with both characters; text with NUL cannot be read by other tools. */
function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\0', '\u{FFFD}')
}

function endOf({ exit, cutShort }: Ending, output: TerminalOutput, options: TerminalOptions): RemarkedEnd {
  const { exitCode, signal } = exit ?? { exitCode: null, signal: null }
  const end: ConfinedEnd = {
    ...{ type: 'end', exitCode, signal: nameOf(signal), cutShort },
    ...{ leftBehind: [], survivors: [] },
  }
  const remarks = [
    ...(output.truncated ? [missingStart] : []),
    ...(exit === undefined ? ['[The client did not confirm that the command has ended.]'] : []),
  ]
  return { type: 'command_end', end, output: recorded(output, options), remarks, inClientTerminal: true }
}

const missingStart = `[The terminal of the client holds the end of the output alone; what came before is lost.]`

function nameOf(signal: string | null): ConfinedEnd['signal'] {
  if (signal === null) return null
  return `SIG${signal.replace(/^SIG/, '')}`
}

/** Secrets are hidden in the whole before any part of it is stored. */
function recorded({ text }: TerminalOutput, { spillFolder, sessionId, redaction }: TerminalOptions): RecordedOutput {
  const folder = spillFolder
  const record = recordOutput(folder === undefined ? undefined : () => createSpillFile({ folder, sessionId }))
  const whole = plain(text)
  record.add(redaction === undefined ? whole : redaction.text(whole))
  return record.finish()
}
