// Runs a program in a pseudo terminal of the optional package @lydell/node-pty, as an Observable.
// Guarantees: after its end or unsubscribing, none of its descendants is left.
import { EventEmitter } from 'node:events'
import { accessSync, constants as fileConstants } from 'node:fs'
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import { Observable, Subject, defer, from, mergeMap } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { followChild } from './follow-child.ts'
import { ensureGuardian } from './guardian.ts'
import type { ProcessEvent } from './process-event.ts'
import { nextCallMark, processMarkValue } from './process-identity.ts'
import { listPids } from './process-table.ts'
import { trackProcesses } from './process-tree.ts'
import type { ChildWithOutput } from './read-output.ts'
import { queueStart } from './serialise-starts.ts'
import { startFailure } from './spawn-process.ts'
import type { SpawnOptions } from './spawn-process.ts'

type TerminalPackage = typeof import('@lydell/node-pty')
type Terminal = import('@lydell/node-pty').IPty

/** Emits the package once; fails with `bad_request` that names it if it is not installed. */
export function loadTerminal(load = () => import('@lydell/node-pty')): Observable<TerminalPackage> {
  return defer(() => from(load().catch(refuse)))
}

function refuse(cause: unknown): never {
  const message =
    'A terminal needs the package @lydell/node-pty, which is missing or has no build for this system: npm install @lydell/node-pty. Without it, leave out pty.'
  throw new Failure('bad_request', message, { cause })
}

export interface TerminalOptions extends Omit<SpawnOptions, 'inputs'> {
  /** Typed into the terminal; text that comes before the program has started waits for it. */
  readonly input$: Observable<string>
}

/**
 * Output as `stdout`, for a screen of 120 × 30. Ends, and ends its processes, as `spawnProcess` does. The program leads
 * the terminal: at its end the system sends SIGHUP to the processes that are left there.
 */
export function spawnTerminal(options: TerminalOptions): Observable<ProcessEvent> {
  return new Observable((subscriber) => {
    const input = typedInput()
    subscriber.add(options.input$.subscribe(input.type))
    const loaded$ = loadTerminal().pipe(
      mergeMap((loaded) => new Observable<never>(() => queueStart(() => start(loaded, options, input, subscriber)))),
    )
    subscriber.add(loaded$.subscribe({ error: (error: unknown) => subscriber.error(error) }))
  })
}

interface TypedInput {
  readonly type: (text: string) => void
  /** Writes the text that was typed before, and from then on each text at once. */
  open(write: (text: string) => void): void
}

function typedInput(): TypedInput {
  const waiting: string[] = []
  const typed$ = new Subject<string>()
  return {
    type: (text) => (typed$.observed ? typed$.next(text) : void waiting.push(text)),
    open: (write) => {
      typed$.subscribe(write)
      for (const text of waiting.splice(0)) write(text)
    },
  }
}

function start(
  loaded: TerminalPackage,
  { program, args, cwd, env, endWhen$, isSupervisor = false }: TerminalOptions,
  input: TypedInput,
  subscriber: Subscriber<ProcessEvent>,
): void {
  const mark = nextCallMark()
  let terminal: Terminal
  let pids: readonly number[] | undefined
  try {
    ensureGuardian()
    pids = listPids()
    accessSync(cwd, fileConstants.X_OK) // the package would start, and end with an error on the terminal
    const marked = { ...env, [mark]: processMarkValue() }
    terminal = loaded.spawn(program, [...args], { cwd, env: marked, name: 'xterm-256color', cols: 120, rows: 30 })
  } catch (error) {
    subscriber.error(startFailure(program, cwd, error))
    return
  }
  const processes = trackProcesses({ leader: terminal.pid, mark, before: pids && new Set(pids), isSupervisor })
  subscriber.add(followChild({ child: asChild(terminal), leader: terminal.pid, processes, endWhen$ }, subscriber))
  input.open((text) => terminal.write(text))
}

/** The terminal with the events and pipes of a child process; a slow reader pauses it. */
function asChild(terminal: Terminal): ChildWithOutput {
  const stdout = new PassThrough()
  const stderr = new PassThrough().end()
  const child = Object.assign(new EventEmitter(), { stdout, stderr })
  stdout.on('drain', () => terminal.resume())
  terminal.onData((text) => {
    if (!stdout.destroyed && !stdout.write(text)) terminal.pause()
  })
  terminal.onExit(({ exitCode, signal = 0 }) => {
    child.emit('exit', signal === 0 ? exitCode : null, signalNames.get(signal) ?? null)
    stdout.end(() => child.emit('close'))
  })
  ignoreErrors(terminal)
  return child
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]))

/** The package throws an error of its socket unless there is a listener; the end of the program follows anyway. */
function ignoreErrors(terminal: object): void {
  if (terminal instanceof EventEmitter || ('on' in terminal && typeof terminal.on === 'function'))
    (terminal as EventEmitter).on('error', () => undefined)
}
