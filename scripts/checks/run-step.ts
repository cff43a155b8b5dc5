// Runs one step of a check in its own process group, and ends the group with this process.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import path from 'node:path'

export interface Step {
  readonly name: string
  /** A script, from the project's root, and its arguments. */
  readonly command: readonly [script: string, ...flags: string[]]
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
}

export interface StepOptions {
  /** Takes each piece of output as it comes. */
  readonly onText?: (text: string) => void
  /** Runs in the CPU time that other processes leave. */
  readonly isIdle?: boolean
}

export interface Outcome {
  readonly code: number
  /** Standard output and error, as they came. */
  readonly output: string
}

/** Limit of a step. A step above it hangs: a worker in an endless loop never reaches its own time-out. */
const limitMs = process.env.RXPI_FULL === undefined ? 15 * 60_000 : 120 * 60_000

/** Runs a step to its end. */
export function runStep(root: string, step: Step, { onText, isIdle = false }: StepOptions = {}): Promise<Outcome> {
  const { name, command, nodeFlags = [] } = step
  const [script, ...flags] = command
  /** The compilers of Go collect no garbage below 6 GB, which none of them reaches: docs/decisions/0736. */
  const memory = { GOGC: process.env['GOGC'] ?? 'off', GOMEMLIMIT: process.env['GOMEMLIMIT'] ?? '6GiB' }
  const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : {}
  const child = spawn(process.execPath, [...nodeFlags, path.join(root, script), ...flags], {
    cwd: root,
    env: { ...process.env, ...memory, ...colour },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, so that its workers end with it
  })
  const stop = endWithUs(child)
  if (isIdle && child.pid !== undefined) lowerPriority(child.pid)
  const watchdog = setTimeout(() => {
    console.log(`${name}: ended after ${limitMs / 60_000} minutes`)
    stop()
  }, limitMs)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      onText?.(text)
    })
  }
  return new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code: code ?? 1, output }))
  }).finally(() => clearTimeout(watchdog))
}

/**
 * Lowers the priority of a process that leads a session, and of what it starts. Linux can share CPU time among sessions
 * before it shares it within each (sched(7), autogroups), so the session gets the priority too.
 */
function lowerPriority(pid: number): void {
  const { PRIORITY_LOW } = constants.priority
  try {
    setPriority(pid, PRIORITY_LOW)
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW))
  } catch {
    // A system without autogroups, or a process that has ended: the step has the same result.
  }
}

/** Ends the child's group when this process gets a signal; the returned function ends it at once. */
function endWithUs(child: ChildProcess): () => void {
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const leave = (signal: NodeJS.Signals): void => {
    stop()
    process.removeListener(signal, leave)
    process.kill(process.pid, signal)
  }
  process.on('SIGINT', leave).on('SIGTERM', leave).on('SIGHUP', leave)
  child.once('close', () => process.off('SIGINT', leave).off('SIGTERM', leave).off('SIGHUP', leave))
  return stop
}
