// The machine's processes as /proc shows them (Linux); elsewhere there is no table, and callers fall back on process groups.
import { readFileSync, readdirSync } from 'node:fs'

/** One process that is alive; zombies have ended already. */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Clock ticks since boot: together with the pid it names one process for ever. */
  readonly startTime: string
  /** The program's name, 15 bytes at most, as the process itself chose it. */
  readonly name: string
}

/** All pids, or undefined where there is no /proc. */
export function listPids(): readonly number[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return names.length > 0 ? names.map(Number) : undefined
  } catch {
    return undefined // no /proc on this system: the answer itself, not a fault
  }
}

/** A process by its pid; undefined once it has ended. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const text = readProcFile(pid, 'stat')?.toString('utf8')
  // the name stands in parentheses and may itself hold any byte
  const end = text?.lastIndexOf(')') ?? -1
  if (text === undefined || end === -1) return undefined
  const [state = 'X', parent, group, ...more] = text.slice(end + 2).split(' ')
  if (state === 'Z' || state === 'X') return undefined
  const name = text.slice(text.indexOf('(') + 1, end)
  return { pid, parent: Number(parent), group: Number(group), startTime: more[16] ?? '', name }
}

/** True where the environment that a process was started with has a variable of this name. */
export function hasVariable(pid: number, name: string): boolean {
  return readProcFile(pid, 'environ')?.includes(`${name}=`) ?? false
}

function readProcFile(pid: number, file: 'stat' | 'environ'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`)
  } catch {
    return undefined // it has ended meanwhile, or belongs to somebody else
  }
}
