// A pid comes back, but never with the same start in the same boot: the three together name one process for ever.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { errnoOf } from '../files/storage-failure.ts'
import { readProcess } from './process-table.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of `/proc/<pid>/stat`; elsewhere what `ps -o lstart=` prints in UTC. Empty where neither can be had. */
  readonly startTime: string
  /** Of the machine's boot; empty where it cannot be had. */
  readonly bootId: string
}

let own: ProcessIdentity | undefined

/** This process. */
export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: startTimeOf(process.pid) ?? '', bootId: bootId() }
  return own
}

/**
 * True where that very process is alive. What could not be had when its identity was written is not compared: in doubt it
 * lives. Of a machine that keeps processes apart (containers), only those of this one are seen.
 */
export function isAlive({ pid, startTime, bootId }: ProcessIdentity): boolean {
  const here = ownIdentity()
  if (bootId !== '' && here.bootId !== '' && bootId !== here.bootId) return false
  if (pid === here.pid) return startTime === '' || here.startTime === '' || startTime === here.startTime
  const found = startTimeOf(pid)
  return found !== undefined && (found === '' || startTime === '' || found === startTime)
}

/** Undefined where no process has this pid; empty where one has it and its start cannot be had. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const found = readProcess(pid)?.startTime
    // without /proc nothing is found, not even ourselves
    return found ?? (pid !== process.pid && hasProcessTable() ? undefined : readStartTime(pid, ''))
  }
  return readStartTime(pid, readCommand('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]))
}

function hasProcessTable(): boolean {
  return readProcess(process.pid) !== undefined
}

function readStartTime(pid: number, startTime: string): string | undefined {
  try {
    process.kill(pid, 0)
    return startTime
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM' ? startTime : undefined
  }
}

function bootId(): string {
  if (process.platform !== 'linux') return readCommand('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return '' // no /proc: then it is not compared
  }
}

/** What a system program prints, the same whatever the language and time zone of who asks; empty where it fails. */
function readCommand(program: string, args: readonly string[]): string {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '' // then it is not compared
  }
}

// Whatever a tool starts carries a mark in its environment that nobody else has: what is ours is known by it, also as an orphan.

let processPrefix: string | undefined
let calls = 0

/**
 * The beginning of the names of all marks of this process: 128 random bits, drawn on first use. Marks are names of
 * variables, not values: an rxpi that runs inside a call of another adds its own and keeps the outer ones.
 */
export function processMarkPrefix(): string {
  // not node:crypto, which takes 3 ms to load
  processPrefix ??= `RXPI_CALL_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}_`
  return processPrefix
}

/** The name of the variable that marks one more call; its value says nothing. */
export function nextCallMark(): string {
  calls += 1
  return `${processMarkPrefix()}${calls}`
}
