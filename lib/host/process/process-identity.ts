// Identifies a process by pid, start time and boot, as pids are reused.
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { errnoOf } from '../files/storage-failure.ts'
import { readProcess } from './process-table.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** Field 22 of `/proc/<pid>/stat`; elsewhere the output of `ps -o lstart=` in UTC. Empty if unavailable. */
  readonly startTime: string
  /** Id of the machine's boot; empty if unavailable. */
  readonly bootId: string
}

let own: ProcessIdentity | undefined

/** This process. */
export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, startTime: startTimeOf(process.pid) ?? '', bootId: bootId() }
  return own
}

/**
 * True if that very process is alive. Fields missing at its recording are not compared: in doubt it is alive. On a
 * machine with isolated processes (containers) only those of the own container are visible.
 */
export function isAlive({ pid, startTime, bootId }: ProcessIdentity): boolean {
  const here = ownIdentity()
  if (bootId !== '' && here.bootId !== '' && bootId !== here.bootId) return false
  if (pid === here.pid) return startTime === '' || here.startTime === '' || startTime === here.startTime
  const found = startTimeOf(pid)
  return found !== undefined && (found === '' || startTime === '' || found === startTime)
}

/** Undefined if no process has this pid; empty if its start time is unavailable. */
function startTimeOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const found = readProcess(pid)?.startTime
    // without /proc no process is found, not even this one
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
    return '' // no /proc: not compared
  }
}

/** Output of a system program, independent of the caller's language and time zone; empty if it fails. */
function readCommand(program: string, args: readonly string[]): string {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' }
    return execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return '' // then it is not compared
  }
}

// Marks the environment of everything that a tool starts, so that its processes are recognised even as orphans.

let processPrefix: string | undefined
let calls = 0

/**
 * The prefix of all marks of this process: 128 random bits, drawn on first use. Marks are names of variables, not
 * values: an rxpi inside a call of another one adds its own and keeps the outer ones.
 */
export function processMarkPrefix(): string {
  // not node:crypto, which takes 3 ms to load
  processPrefix ??= `RXPI_CALL_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}_`
  return processPrefix
}

let ownMark: string | undefined

/** The value of every mark: names this process, so that a later one can find out whether it has ended. */
export function processMarkValue(): string {
  const { pid, startTime, bootId: boot } = ownIdentity()
  ownMark ??= [pid, startTime, boot, pidNamespace()].join(':')
  return ownMark
}

export interface MarkOwner extends ProcessIdentity {
  /** The pid has a meaning in this namespace alone. */
  readonly namespace: string
}

/** The process that a mark's value names; undefined if a part of it is missing. */
export function processMarkOwner(value: string): MarkOwner | undefined {
  const [, pid, startTime, boot, namespace] = /^([1-9]\d{0,9}):(\d+):([0-9a-f-]+):(\d+)$/.exec(value) ?? []
  if (startTime === undefined || boot === undefined || namespace === undefined) return undefined
  return { pid: Number(pid), startTime, bootId: boot, namespace }
}

/** The inode of this process's pid namespace; empty if unavailable. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return '' // no /proc: no mark is read either
  }
}

/** The name of the variable that marks one more call. */
export function nextCallMark(): string {
  calls += 1
  return `${processMarkPrefix()}${calls}`
}
