// The server of a soak: the command in an environment of its own, with its standard error.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { map, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Socket } from 'node:net'
import type { Transport } from '../../lib/client.ts'
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'
import { dialSocket } from '../../lib/server/socket/connect-socket.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import type { Spawn, Workspace } from '../report.ts'
import { firstOf } from './first-of.ts'
import { writeSettings } from './setting/soak-settings.ts'

export interface SoakServer {
  readonly pid: number
  readonly socketPath: string
  /** The token of its gateway. */
  readonly token: string
  /** The environment of its sessions: a home, PATH and the model's address. */
  readonly env: Readonly<Record<string, string>>
  /** Lines of standard error, without those about its address and its requested end. */
  readonly standardError: readonly string[]
  /** Connects; `onSocket` is called with the events of the socket below. */
  open(onSocket?: (socket: Socket) => void): Observable<Transport>
  /** Starts the command as a client of this server. */
  command(args: readonly string[]): ReturnType<Spawn>
  /** Resolves to the counts of objects that are alive when the server has collected its garbage. */
  collect(): Promise<AliveObjects>
  /** Sends SIGTERM; resolves to its exit. */
  stop(): Promise<string>
  /** Files that are left in its temporary folder. */
  leftFiles(): string[]
}

/** Objects of the server that hold something of the machine. */
export type AliveObjects = Readonly<Record<'timers' | 'sockets' | 'children' | 'threads', number>>

const expected = /^rxpi: (listening at|the gateway|SIGTERM: closing every session)/
/** A collection that takes longer is a fault. */
const collectsWithinMs = 60_000

export async function soakServer(
  { root, folder, spawn }: Workspace,
  { baseUrl, restAfterS }: { readonly baseUrl: string; readonly restAfterS: number },
): Promise<SoakServer> {
  const [home, temp] = [path.join(folder, 'home'), path.join(folder, 'temp')]
  const [socketPath, aliveFile] = [path.join(folder, 'run/rxpi.sock'), path.join(folder, 'alive.json')]
  writeSettings(home, baseUrl)
  mkdirSync(temp)
  const token = crypto.randomUUID()
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: temp }
  const options = ['--socket', socketPath, '--rest-after', `${restAfterS}s`, '--http', '0']
  const { args, env } = serveCommand(root)
  const child = spawn(process.execPath, [...args, ...options], {
    cwd: folder,
    env: { ...base, ...env, RXPI_HTTP_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const standardError: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    standardError.push(...text.split('\n').filter((line) => line !== '' && !expected.test(line)))
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const server: SoakServer = {
    ...{ pid: child.pid ?? 0, socketPath, token, standardError },
    env: { ...base, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'soak' },
    open: (onSocket = () => undefined) =>
      dialSocket(socketPath).pipe(
        tap(onSocket),
        map((socket) => streamTransport(socket)),
      ),
    command: (more) =>
      spawn(path.join(root, 'bin/rxpi'), more, { cwd: folder, env: server.env, stdio: ['pipe', 'pipe', 'pipe'] }),
    collect: async () => {
      rmSync(aliveFile, { force: true })
      child.kill('SIGUSR2')
      return readAlive(aliveFile)
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [code, signal] = await ended
      return signal ?? `exit code ${code}`
    },
    leftFiles: () => readdirSync(temp),
  }
  while (!(await takes(server))) {
    if (child.exitCode !== null) throw new Error(`The server ended before it listened: ${standardError.join(' ')}`)
    await delay(20)
  }
  return server
}

/**
 * As bin/rxpi starts it, with the same memory settings. Warnings are printed with their origin. bin/rxpi itself passes
 * no NODE_OPTIONS on: a server that is started so would be ended by the signal.
 */
function serveCommand(root: string): { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } {
  const preload = ['--trace-warnings', '--require', path.join(root, 'bench/soak/soak-preload.cjs')]
  const without = { RXPI_WITHOUT: process.env['RXPI_WITHOUT'] ?? '' } // compares memory settings
  const flags = memorySettings('node', without).map(({ key, value }) => `${key}=${value}`)
  const allocator = memorySettings('malloc', without).map(({ key, value }) => [key, value] as const)
  return {
    args: [...preload, ...flags, path.join(root, 'bin/start.js'), 'serve'],
    env: { ...without, ...Object.fromEntries(allocator) },
  }
}

async function readAlive(file: string): Promise<AliveObjects> {
  const untilMs = performance.now() + collectsWithinMs
  while (performance.now() < untilMs) {
    await delay(50)
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as AliveObjects // the preloaded file writes them
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error(`The server has not collected its garbage within ${collectsWithinMs} ms`)
}

async function takes(server: SoakServer): Promise<boolean> {
  try {
    ;(await firstOf(server.open())).close()
    return true
  } catch {
    return false // not yet
  }
}
