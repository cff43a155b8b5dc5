// Calls tools in a process of their own, which a shell may limit first.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { withCompileCache } from '../../support/compile-cache.ts'

/** A tool's name and arguments. */
export type ToolCall = readonly [name: string, args: object]

export interface CallOutcome {
  readonly text: string
  readonly isError: boolean
  readonly ms: number
  /** The longest pause of the event loop. */
  readonly lagMs: number
  /** Of the process, since its start. */
  readonly peakMiB: number
}

export interface CallOptions {
  /** Commands of a shell that run first, in the same process. */
  readonly before?: string
  /** True: files are opened behind the fence of a session. */
  readonly isFenced?: boolean
}

const script = path.join(import.meta.dirname, 'fixtures/call-tools.ts')

export async function callTools(
  folder: string,
  calls: readonly ToolCall[],
  { before = ':', isFenced = false }: CallOptions = {},
): Promise<CallOutcome[]> {
  const args = [process.execPath, '--no-warnings', script, folder]
  return outcomes('/bin/sh', ['-c', `${before}; exec "$@"`, 'sh', ...args], calls, isFenced)
}

/** As another user than root, who is held by modes. Only root can do this. */
export function callToolsAsNobody(
  folder: string,
  calls: readonly ToolCall[],
  isFenced = false,
): Promise<CallOutcome[]> {
  const args = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--no-warnings', script]
  return outcomes('setpriv', [...args, folder], calls, isFenced)
}

/** In a mount namespace of its own, with a disk of 1 MiB mounted at `disk` in the folder. */
export function callToolsOnSmallDisk(
  folder: string,
  calls: readonly ToolCall[],
  { before = ':', isFenced = false }: CallOptions = {},
): Promise<CallOutcome[]> {
  const mount = `mount -t tmpfs -o size=1m tmpfs "$1" && cd "$1" && ${before}; shift; exec "$@"`
  const flags = process.geteuid?.() === 0 ? ['-m'] : ['-Urm']
  const disk = path.join(folder, 'disk')
  const args = [process.execPath, '--no-warnings', script, disk]
  return outcomes('unshare', [...flags, '/bin/sh', '-c', mount, 'sh', disk, ...args], calls, isFenced)
}

async function outcomes(
  program: string,
  args: readonly string[],
  calls: readonly ToolCall[],
  isFenced: boolean,
): Promise<CallOutcome[]> {
  const running = promisify(execFile)(program, [...args], { maxBuffer: 64 * 2 ** 20, env: withCompileCache() })
  running.child.stdin?.end(JSON.stringify({ calls, isFenced }))
  const { stdout } = await running
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CallOutcome)
}
