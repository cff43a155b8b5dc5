// Runs the built command in its own process, with its own folder and home.
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** The piped input; default: an input that cannot be read. `null`: a pipe without an end. */
  readonly stdin?: string | null
  readonly env?: Readonly<Record<string, string>>
  /** Default: the workplace's folder. */
  readonly cwd?: string
  /** What a shell runs before it becomes the command: `ulimit -f 8`, `exec >/dev/full`. */
  readonly before?: string
}

export interface Running {
  readonly child: ChildProcess
  /** The output so far. */
  readonly stdout: string
  readonly stderr: string
  readonly ended: Promise<Ended>
  /** Resolves when stdout or stderr contains the text. */
  outputText(text: string): Promise<void>
}

export interface Workplace extends Disposable {
  /** The folder in which the command is started. */
  readonly folder: string
  /** `$RXPI_HOME`. */
  readonly home: string
  /** `$XDG_CONFIG_HOME/rxpi`. */
  readonly config: string
  /** `RXPI_SOCKET`. The process that listens there is killed at the end. */
  readonly socket: string
  /** All variables that the command gets. */
  readonly env: Readonly<Record<string, string>>
  /** Writes a file into the folder and returns its absolute path. */
  write(name: string, content: string | Uint8Array): string
  /** A model that answers from a script; returns its name for `--model`. */
  scripted(answers: readonly object[]): string
  configure(file: 'settings.json' | 'models.json', value: object): void
  start(commandLine: readonly string[], options?: RunOptions): Running
  run(commandLine: readonly string[], options?: RunOptions): Promise<Ended>
  /** Ends the server at the socket, if there is one, as SIGTERM does: `rxpi stop` would be one more start. */
  stop(): Promise<void>
  /** All files below `home`. */
  stored(): string[]
  /** The session logs, oldest first, by their lines. */
  logs(): { readonly file: string; readonly lines: readonly string[] }[]
}

const root = dirname(dirname(import.meta.dirname))
let built = false

/** Builds the bundle if it is older than its sources. */
export function ensureBuilt(): void {
  if (!built) execFileSync(process.execPath, [join(root, 'scripts/build/ensure-built.ts')], { stdio: 'pipe' })
  built = true
}

/** The workplace is removed at the end. */
export function workplace(files: Readonly<Record<string, string>> = {}): Workplace {
  ensureBuilt()
  const top = mkdtempSync(join(tmpdir(), 'rxpi-command-'))
  const [folder, home, config] = [join(top, 'project'), join(top, 'home'), join(top, 'config/rxpi')]
  for (const each of [folder, config]) mkdirSync(each, { recursive: true })
  const children = new Set<ChildProcess>()
  const write = (name: string, content: string | Uint8Array): string => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  const socket = join(top, 'run/rxpi.sock')
  const base = {
    PATH: process.env['PATH'] ?? '',
    HOME: top,
    RXPI_HOME: home,
    XDG_CONFIG_HOME: dirname(config),
    RXPI_SOCKET: socket,
    RXPI_LOCAL_MODELS_MS: '0', // other servers on this machine are not part of a test
    RXPI_SANDBOX: 'off', // so that tests pass on machines without one, too
    RXPI_APPROVE: 'auto', // tests of decisions set another mode
  }

  const start = (commandLine: readonly string[], options: RunOptions = {}): Running => {
    const command = [process.execPath, join(root, 'bin/start.js'), ...commandLine]
    const inShell = ['/bin/sh', '-c', `${options.before ?? ''}\nexec "$0" "$@"`, ...command]
    const [program = '', ...rest] = options.before === undefined ? command : inShell
    const child = spawn(program, rest, {
      cwd: options.cwd ?? folder,
      env: { ...base, ...options.env },
      stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    children.add(child)
    if (typeof options.stdin === 'string') child.stdin?.end(options.stdin)
    child.stdin?.on('error', () => undefined) // it can end without reading its input
    return running(child)
  }
  return {
    folder,
    home,
    config,
    env: base,
    write,
    scripted: (answers) => {
      const file = join(top, `script-${readdirSync(top).length}.json`)
      writeFileSync(file, JSON.stringify(answers))
      return `scripted/${file}`
    },
    configure: (file, value) => {
      writeFileSync(join(config, file), JSON.stringify(value))
    },
    start,
    run: (commandLine, options) => start(commandLine, options).ended,
    stop: () => stopServer(`${socket}.lock`),
    socket,
    stored: () => filesBelow(home),
    logs: () => logsOf(filesBelow(join(home, 'sessions'))),
    [Symbol.dispose]: () => {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      killServer(`${socket}.lock`)
      rmSync(top, { recursive: true, force: true })
    },
  }
}

/** A server that was started in the background is no child of this process. */
function killServer(lock: string): void {
  if (!existsSync(lock)) return
  const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it had ended and left its lock
  }
}

/** Resolves when its lock is gone, which it removes last. */
async function stopServer(lock: string): Promise<void> {
  if (!existsSync(lock)) return
  const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }
  process.kill(pid, 'SIGTERM')
  const deadline = performance.now() + 20_000
  while (existsSync(lock)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} does not end`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function running(child: ChildProcess): Running {
  const output = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({ code, signal, ...output })
    })
  })
  return {
    child,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    ended,
    outputText: async (text) => {
      const has = (): boolean => output.stdout.includes(text) || output.stderr.includes(text)
      const early = ended.then(({ code, stderr }) => {
        if (!has()) throw new Error(`ended with ${code ?? 'a signal'} before it said ${text}: ${stderr}`)
      })
      const heard = new Promise<void>((resolve) => {
        const look = (): void => {
          if (has()) resolve()
        }
        listeners.add(look)
        look()
      })
      await Promise.race([heard, early])
    },
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The name of a log begins with the time of its creation. */
function logsOf(files: readonly string[]): { file: string; lines: string[] }[] {
  const logs = files.filter((file) => file.endsWith('.jsonl'))
  return logs
    .sort((left, right) => basename(left).localeCompare(basename(right)))
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n') }))
}
