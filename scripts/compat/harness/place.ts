// Creates a temporary home for the built command, and runs any build in it.
// It runs one-off commands and servers.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServerProcess {
  /** SIGTERM: the server ends its runs and closes its sessions. */
  stop(): Promise<void>
  /** SIGKILL: the server writes nothing more. */
  kill(): Promise<void>
}

export interface Workspace extends Disposable {
  /** Root folder of the place. */
  readonly top: string
  /** The folder that sessions work in. */
  readonly folder: string
  /** `$RXPI_HOME`. */
  readonly home: string
  readonly socket: string
  readonly env: Readonly<Record<string, string>>
  /** Writes a script for the scripted model and returns the model's name. */
  scripted(name: string, answers: readonly unknown[]): string
  /** Runs the command of a build to its end. `build`: the root folder of a built checkout. */
  run(build: string, args: readonly string[], options?: { readonly stdin?: string }): Promise<Ended>
  /** Starts a command of a build; the place kills it in the end. */
  start(build: string, args: readonly string[]): ChildProcess
  /** Resolves when the server listens. */
  serve(build: string): Promise<ServerProcess>
  /** The session logs below `home`, in the order of their creation. */
  logs(): string[]
}

/** Guarantees: `dispose` kills every process that the place started, and removes `top`. */
export function createWorkspace(top: string): Workspace {
  const [folder, home, config, socket] = ['project', 'home', 'config/rxpi', 'run/rxpi.sock'].map((name) =>
    path.join(top, name),
  ) as [string, string, string, string]
  for (const each of [folder, config, path.join(top, 'scripts')]) mkdirSync(each, { recursive: true })
  const children = new Set<ChildProcess>()
  const env = environment(top, { home, config, socket })
  const start: Workspace['start'] = (build, args) => {
    const command = [path.join(build, 'bin/start.js'), ...args]
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    children.add(child)
    child.once('exit', () => children.delete(child))
    child.stdin.on('error', () => undefined) // the command may end without reading
    return child
  }
  return {
    top,
    folder,
    home,
    socket,
    env,
    scripted: (name, answers) => {
      const file = path.join(top, 'scripts', `${name}.json`)
      writeFileSync(file, JSON.stringify(answers))
      return `scripted/${file}`
    },
    start,
    run: async (build, args, { stdin = '' } = {}) => {
      const child = start(build, args)
      const output = outputOf(child)
      child.stdin?.end(stdin)
      const [code] = (await once(child, 'close')) as [number | null]
      return { code, stdout: output.stdout, stderr: output.stderr }
    },
    serve: (build) => serverOf(start(build, ['serve'])),
    logs: () => logsBelow(path.join(home, 'sessions')),
    [Symbol.dispose]: () => {
      for (const child of children) child.kill('SIGKILL')
      killBackgroundServer(`${socket}.lock`)
      rmSync(top, { recursive: true, force: true })
    },
  }
}

const environment = (top: string, { home, config, socket }: Record<'home' | 'config' | 'socket', string>) => ({
  PATH: '/usr/local/bin:/usr/bin:/bin', // recordings contain it
  HOME: top,
  TZ: 'UTC',
  RXPI_HOME: home,
  XDG_CONFIG_HOME: path.dirname(config),
  RXPI_SOCKET: socket,
  RXPI_LOCAL_MODELS_MS: '0',
})

/** A server that a client has started in the background is no child of this process. */
function killBackgroundServer(lock: string): void {
  if (!existsSync(lock)) return
  const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly pid: number }
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // the server has ended and left its lock
  }
}

function outputOf(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return output
}

async function serverOf(child: ChildProcess): Promise<ServerProcess> {
  const output = outputOf(child)
  const ended = once(child, 'exit')
  child.stdin?.end()
  while (!output.stderr.includes('listening at')) {
    const event = await Promise.race([once(child.stderr ?? child, 'data'), ended.then(() => undefined)])
    if (event === undefined) throw new Error(`The server ended at its start: ${output.stderr}`)
  }
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return { stop: end('SIGTERM'), kill: end('SIGKILL') }
}

function logsBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return names
    .sort((left, right) => path.basename(left).localeCompare(path.basename(right)))
    .map((name) => path.join(folder, name))
}
