// Runs a child process as an Observable of its output and its end; unsubscribing ends it.
// Guarantees: after its end or unsubscribing, none of its descendants is left.
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { Readable } from 'node:stream'
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { trackProcesses } from './process-tree.ts'
import { followChild } from './follow-child.ts'
import { ensureGuardian } from './guardian.ts'
import type { ProcessEvent } from './process-event.ts'
import { nextCallMark, processMarkValue } from './process-identity.ts'
import { listPids } from './process-table.ts'
import { queueStart } from './serialise-starts.ts'
import { accessSync, constants, statSync } from 'node:fs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { errnoOf } from '../files/storage-failure.ts'

export interface SpawnOptions {
  /** Absolute path (`findProgram`). */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The child's complete environment; the call's mark is added. */
  readonly env: Readonly<Record<string, string>>
  /** Its first value ends the processes, SIGTERM first; the stream continues until they have ended. */
  readonly endWhen$?: Observable<unknown>
  /** Bytes that the child reads from descriptors 3, 4 …. Default: none. */
  readonly inputs?: readonly Uint8Array[]
  /** Called when it runs, with its open standard input, which the caller ends. Absent: standard input is closed. */
  readonly onStart?: (started: StartedProcess) => void
  /** True for a program that runs another one and ends with it (a sandbox): SIGTERM goes to its descendants alone. */
  readonly isSupervisor?: boolean
}

export interface StartedProcess {
  readonly pid: number
  /** Its errors are handled: it is destroyed when the program does not read any more. */
  readonly stdin: Writable
}

/**
 * Starts a program (through `queueStart`) in its own process group. Emits its output, buffering
 * nothing, then one `ProcessEnd`, and completes. After the program's end its pipes have 100 ms of silence (1 s at most)
 * to deliver the output of background children; then these are ended too.
 *
 * Unsubscribing sends SIGTERM at once and SIGKILL after 2 s, to the group and to every process that carries the call's
 * mark or descends from it; that runs to its end (`processesSettled`). Without /proc, to the group only. A process that
 * left the group, cleaned its environment and outlived its parents escapes: only a pid namespace would hold it. Errors:
 * a Failure if the program cannot be started; never for its own actions.
 */
export function spawnProcess(options: SpawnOptions): Observable<ProcessEvent> {
  return new Observable((subscriber) => {
    subscriber.add(queueStart(() => start(options, subscriber)))
  })
}

function start(options: SpawnOptions, subscriber: Subscriber<ProcessEvent>): void {
  const mark = nextCallMark()
  let child: ChildProcessByStdio<Writable | null, Readable, Readable>
  let pids: readonly number[] | undefined
  try {
    ensureGuardian()
    pids = listPids()
    child = startChild(options, mark)
  } catch (error) {
    subscriber.error(startFailure(options.program, options.cwd, error))
    return
  }
  child.once('error', (error) => subscriber.error(startFailure(options.program, options.cwd, error)))
  if (child.pid === undefined) return
  sendInputs(child, options.inputs)
  endInputsOf(child)
  const { isSupervisor = false } = options
  const processes = trackProcesses({ leader: child.pid, mark, before: pids && new Set(pids), isSupervisor })
  subscriber.add(followChild({ child, leader: child.pid, processes, endWhen$: options.endWhen$ }, subscriber))
  openInput(child, options.onStart)
}

function openInput(
  { pid, stdin }: ChildProcessByStdio<Writable | null, Readable, Readable>,
  onStart: SpawnOptions['onStart'],
): void {
  if (pid === undefined || stdin === null) return
  stdin.on('error', () => stdin.destroy())
  onStart?.({ pid, stdin })
}

function startChild({ program, args, cwd, env, onStart, inputs = [] }: SpawnOptions, mark: string) {
  const stdio: ['ignore' | 'pipe', 'pipe', 'pipe', ...'pipe'[]] = [
    onStart === undefined ? 'ignore' : 'pipe',
    'pipe',
    'pipe',
    ...inputs.map(() => 'pipe' as const),
  ]
  return spawn(program, [...args], {
    cwd,
    env: { ...env, [mark]: processMarkValue() },
    detached: true, // setsid: its own group and session
    stdio,
  }) as ChildProcessByStdio<Writable | null, Readable, Readable> // the types know three descriptors only
}

/** The child's pipe closes with the last byte; a child that ended before reading it says so by its exit. */
function sendInputs(
  { stdio }: ChildProcessByStdio<Writable | null, Readable, Readable>,
  inputs: readonly Uint8Array[] = [],
): void {
  inputs.forEach((bytes, index) => {
    const pipe = [...stdio][3 + index]
    if (!(pipe instanceof Writable)) return
    pipe.on('error', () => pipe.destroy())
    pipe.end(bytes, () => pipe.destroy())
  })
}

/** Its output pipes are sockets: a program that asks for keys there finds their end instead of waiting forever. */
function endInputsOf({ stdout, stderr }: ChildProcessByStdio<Writable | null, Readable, Readable>): void {
  for (const pipe of [stdout, stderr]) if (pipe instanceof Socket) pipe.end()
}

// Explains why a program could not be started, and what to do: the system's message names the program even if the
// folder is missing.

/** A Failure for what `spawn` threw or emitted: `overloaded` if a retry may succeed, else `bad_request`. */
export function startFailure(program: string, cwd: string, thrown: unknown): Failure {
  const errno = errnoOf(thrown)
  const reason = describeThrown(thrown)
  if (errno === 'E2BIG') {
    const advice = 'write it to a file and run that, and keep the environment small'
    return new Failure('bad_request', `The command is too long for this system; ${advice}`, { cause: thrown })
  }
  if (errno !== undefined && transientErrors.has(errno)) {
    const message = `Could not start ${program}: ${reason}; end some programs and try again`
    return new Failure('overloaded', message, { cause: thrown })
  }
  const problem = folderProblem(cwd)
  if (problem !== undefined) {
    const message = `Could not start ${program}: its working folder ${cwd} ${problem}`
    return new Failure('bad_request', message, { cause: thrown })
  }
  return new Failure('bad_request', `Could not start ${program}: ${reason}`, { cause: thrown })
}

const transientErrors: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** Why the folder cannot be used; undefined if it is not the cause. */
function folderProblem(folder: string): string | undefined {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return 'does not exist'
    accessSync(folder, constants.X_OK)
    return undefined
  } catch (error) {
    return `cannot be entered (${describeThrown(error)})`
  }
}
