// Finds leaks of a test file: timers, sockets, servers, watchers, child processes, temporary files, replaced globals.
import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { guardianProgram } from '../../lib/host/process/guardian.ts'

/** Compile caches of Node for npm and tsc; they belong to later runs. */
const compileCache = 'node-compile-cache'

/** The resources at a moment. */
export interface Stock {
  /** Everything that keeps the event loop alive, counted by kind: `Timeout`, `TCPSocketWrap`, `FSEventWrap` … */
  readonly resources: ReadonlyMap<string, number>
  /** Pids of this process's children (Linux; elsewhere empty). */
  readonly children: ReadonlySet<number>
  /** The timers and clocks of `globalThis`, which test files that share a process hand to each other. */
  readonly globals: ReadonlyMap<GlobalName, unknown>
  /** The current folder and the umask of the process, which they hand to each other too. */
  readonly cwd: string
  readonly umask: number
}

const globalNames = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'Date',
  'performance',
  'fetch',
] as const
type GlobalName = (typeof globalNames)[number]

export function takeStock(): Stock {
  // opened at the first look, for example by Ink, and never closed
  for (const stream of ['stdin', 'stdout', 'stderr']) Reflect.get(process, stream)
  const globals = new Map(globalNames.map((name) => [name, globalThis[name]]))
  const umask = process.umask(0o022)
  process.umask(umask) // it can be read only with a change
  return { resources: activeResources(), children: new Set(childPids()), globals, cwd: process.cwd(), umask }
}

export interface LeftSinceOptions {
  /** Milliseconds in which closing resources can end. Default 2,000. */
  readonly withinMs?: number
  /** Every file in it counts as a leak; its name starts the line. Default: no folder. */
  readonly folder?: string
}

/**
 * One line for each kind of resource that exists now and is not in `before`; resolves as soon as there is none. The one
 * guardian that a process has of lib/host is no leak: it ends with the process.
 */
export async function leftSince(before: Stock, { withinMs = 2_000, folder }: LeftSinceOptions = {}): Promise<string[]> {
  const end = performance.now() + withinMs
  for (;;) {
    await delay(0) // a resource that was unsubscribed in this turn is closed in the next; and this timer is over when it is counted
    const left = [...newResources(before).sort(), ...newChildren(before), ...filesIn(folder)]
    if (left.length === 0 || performance.now() > end) return left
    await delay(10)
  }
}

/**
 * Puts the globals, the folder and the umask of `before` back; one line for each that a test had changed, for example by
 * fake timers.
 */
export function restoreGlobals({ globals, cwd, umask }: Stock): string[] {
  const replaced = [...globals].flatMap(([name, value]) => {
    if (globalThis[name] === value) return []
    Reflect.set(globalThis, name, value)
    return [`a replaced global: ${name}`]
  })
  const [folder, mask] = [process.cwd(), process.umask(umask)]
  if (folder !== cwd) process.chdir(cwd)
  return [
    ...replaced,
    ...(folder === cwd ? [] : [`another folder: ${folder}`]),
    ...(mask === umask ? [] : [`another umask: ${mask.toString(8)}`]),
  ]
}

function activeResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

function newResources({ resources }: Stock): string[] {
  return [...activeResources()].flatMap(([kind, count]) => {
    const more = count - (resources.get(kind) ?? 0)
    return more > 0 ? [`${more} ${kind}`] : []
  })
}

function newChildren({ children }: Stock): string[] {
  return childPids().flatMap((pid) => {
    const command = contentOf(`/proc/${pid}/cmdline`)
    if (children.has(pid) || command === '' || command.includes(guardianProgram)) return []
    return [`process ${pid}: ${command.replaceAll('\0', ' ').slice(0, 200).trim()}`]
  })
}

/** Of each thread of this process, as the kernel lists them: the processes of the whole machine are many more. */
function childPids(): number[] {
  const listed = threadIds().flatMap((thread) => contentOf(`/proc/self/task/${thread}/children`).split(' '))
  return listed.map(Number).filter((pid) => {
    if (pid === 0) return false
    const stat = contentOf(`/proc/${pid}/stat`)
    const state = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0]
    return state !== '' && state !== 'Z'
  })
}

function threadIds(): string[] {
  try {
    return readdirSync('/proc/self/task')
  } catch {
    return [] // no Linux
  }
}

function filesIn(folder: string | undefined): string[] {
  if (folder === undefined) return []
  const names = readdirSync(folder, { recursive: true }).map(String)
  return names.filter((name) => !name.startsWith(compileCache)).map((name) => `file ${name}`)
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile
  }
}
