// Measures the resources of a server at a moment, from the kernel and from the server itself.
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'

export interface Sample {
  /** Milliseconds since the soak's beginning. */
  readonly atMs: number
  readonly rssMiB: number
  readonly heapMiB: number
  readonly descriptors: number
  /** Processes that it has started, and theirs. */
  readonly processes: number
  /** The same by program. */
  readonly programs: Readonly<Record<string, number>>
  /** Threads of the server; isolated extensions have one each. */
  readonly threads: number
  /** Files and folders that it watches. */
  readonly watches: number
  readonly sessions: number
  readonly running: number
  readonly clients: number
  /** CPU seconds so far. */
  readonly cpuS: number
}

/** The server's own report. */
export interface ServerReport {
  readonly clients: number
  readonly sessions: { readonly open: number; readonly running: number }
  readonly memory: { readonly heapUsedBytes: number }
}

export function sampleOf(pid: number, atMs: number, { clients, sessions, memory }: ServerReport): Sample {
  const below = descendants(pid)
  const descriptors = readdirSync(`/proc/${pid}/fd`)
  return {
    atMs,
    rssMiB: residentMiB(pid),
    heapMiB: memory.heapUsedBytes / 2 ** 20,
    descriptors: descriptors.length,
    processes: below.length,
    programs: countsOf(below.map(programOf)),
    threads: readdirSync(`/proc/${pid}/task`).length,
    watches: watchesOf(pid, descriptors),
    sessions: sessions.open,
    running: sessions.running,
    clients,
    cpuS: cpuSeconds(pid),
  }
}

/** A process's descendants, while each has its parent. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statOf(name)[1] : undefined
    if (parent === undefined) continue
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)])
  }
  const found: number[] = []
  const look = [pid]
  for (let each = look.pop(); each !== undefined; each = look.pop()) {
    const theirs = children.get(each) ?? []
    found.push(...theirs)
    look.push(...theirs)
  }
  return found
}

/** Processes whose environment contains the text, except this one: also those without their parent. */
export function processesOf(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(text))
}

/** The name of the program, or of the script that Node runs; `ended` if nobody has read its exit code yet. */
export function programOf(pid: number): string {
  const words = read(`/proc/${pid}/cmdline`).split('\0')
  const [program = '', script = ''] = words.filter((word) => word !== '' && !word.startsWith('-'))
  if (program === '') return 'ended'
  return path.basename(path.basename(program) === 'node' && script !== '' ? script : program)
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function watchesOf(pid: number, descriptors: readonly string[]): number {
  return descriptors
    .filter((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`) === 'anon_inode:inotify')
    .reduce((sum, each) => sum + (read(`/proc/${pid}/fdinfo/${each}`).match(/^inotify /gm)?.length ?? 0), 0)
}

function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1_024
}

function cpuSeconds(pid: number): number {
  const fields = statOf(String(pid))
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** The fields behind the process's name, from its state on. */
function statOf(pid: string): string[] {
  return read(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ')
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return '' // closed meanwhile
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile, or belongs to another user
  }
}
