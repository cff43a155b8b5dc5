// Reads the machine's processes from /proc (Linux); without it callers fall back to process groups.
import { readFileSync, readdirSync, statSync } from 'node:fs'

/** One living process; zombies count as ended. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Clock ticks since boot: identifies the process together with the pid. */
  readonly startTime: string
  /** The program's name, at most 15 bytes, chosen by the process itself. */
  readonly name: string
}

/** All pids, or undefined if there is no /proc. */
export function listPids(): readonly number[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return names.length > 0 ? names.map(Number) : undefined
  } catch {
    return undefined // no /proc on this system: a result, not a fault
  }
}

/** A process by its pid; undefined after its end. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readProcFile(pid, 'stat')?.toString('utf8')
  // the name is in parentheses and may contain any byte
  const end = text?.lastIndexOf(')') ?? -1
  if (text === undefined || end === -1) return undefined
  const [state = 'X', parent, group, ...more] = text.slice(end + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  const name = text.slice(text.indexOf('(') + 1, end)
  return { pid, parent: Number(parent), group: Number(group), startTime: more[16] ?? '', name }
}

/** True if the process started with an environment variable of this name. */
export function hasVariable(pid: number, name: string): boolean {
  return readProcFile(pid, 'environ')?.includes(`${name}=`) ?? false
}

/** The environment that the process started with, its variables separated by NUL; undefined if it cannot be read. */
export function readEnvironment(pid: number): string | undefined {
  return readProcFile(pid, 'environ')?.toString('latin1')
}

/** Whether the process runs as this user. */
export function isOwnProcess(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.geteuid?.()
  } catch {
    return false // it has ended meanwhile
  }
}

function readProcFile(pid: number, file: 'stat' | 'environ'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`)
  } catch {
    return undefined // it has ended meanwhile, or belongs to another user
  }
}
