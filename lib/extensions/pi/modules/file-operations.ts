// Runs the operations of pi's built-in tools on this machine.
import { spawn } from 'node:child_process'
import { access, glob, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'

export interface ShellOptions {
  onData(data: Buffer): void
  readonly signal?: AbortSignal | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
}

export interface ShellPath {
  readonly shellPath?: string
}

export interface BashOperations {
  exec(command: string, cwd: string, options: ShellOptions): Promise<{ exitCode: number | null }>
}

export interface FileOperations {
  readFile(file: string): Promise<Buffer>
  writeFile(file: string, content: string): Promise<void>
  access(file: string): Promise<void>
  mkdir(folder: string): Promise<void>
}

export interface FolderOperations {
  exists(file: string): Promise<boolean> | boolean
  stat(file: string): Promise<{ isDirectory(): boolean }> | { isDirectory(): boolean }
  readdir(folder: string): Promise<string[]> | string[]
  glob(pattern: string, cwd: string, options: { ignore: string[]; limit: number }): Promise<string[]> | string[]
}

export const localFiles: FileOperations = {
  readFile: (file) => readFile(file),
  writeFile: (file, content) => writeFile(file, content, 'utf8'),
  access: (file) => access(file),
  mkdir: async (folder) => {
    await mkdir(folder, { recursive: true })
  },
}

export const localFolders: FolderOperations = {
  exists: (file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  stat: (file) => stat(file),
  readdir: (folder) => readdir(folder),
  glob: async (pattern, cwd, { ignore, limit }) => {
    const found: string[] = []
    const exclude = (name: string): boolean => ['node_modules', '.git', ...ignore].includes(path.basename(name))
    for await (const file of glob(pattern.includes('/') ? pattern : `**/${pattern}`, { cwd, exclude })) {
      if (found.length === limit) break
      found.push(file)
    }
    return found
  },
}

/**
 * Makes `createLocalBashOperations`: runs a command in a shell; its processes end with the signal and after the time-out.
 * @param variables what a command gets if its caller names no environment
 */
export function localBash(variables: NodeJS.ProcessEnv) {
  return ({ shellPath = '/bin/bash' }: ShellPath = {}): BashOperations => ({
    exec: (command, cwd, { onData, signal, timeout, env = variables }) =>
      new Promise((resolve, reject) => {
        const child = spawn(shellPath, ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
        let ending: string | undefined
        const end = (reason: string) => (): void => {
          ending = reason
          if (child.pid !== undefined) killTree(child.pid)
        }
        const onAbort = end('aborted')
        const timer =
          timeout === undefined || timeout <= 0 ? undefined : setTimeout(end(`timeout:${timeout}`), timeout * 1000)
        if (signal?.aborted === true) onAbort()
        signal?.addEventListener('abort', onAbort, { once: true })
        child.stdout.on('data', onData)
        child.stderr.on('data', onData)
        const settle = (act: () => void): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          act()
        }
        child.once('error', (error) => settle(() => reject(error)))
        child.once('close', (exitCode) =>
          settle(() => (ending === undefined ? resolve({ exitCode }) : reject(new Error(ending)))),
        )
      }),
  })
}

function killTree(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it has ended already
  }
}
