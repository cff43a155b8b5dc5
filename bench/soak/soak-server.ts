// The server of a soak: the command in an environment of its own, with its standard error.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { map, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Socket } from 'node:net'
import type { Transport } from '../../lib/client.ts'
import { dialSocket } from '../../lib/server/socket/connect-socket.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import type { Workspace } from '../report.ts'
import { firstOf } from './first-of.ts'
import { stormFiles, stormMark } from './storm-calls.ts'

export interface SoakServer {
  readonly pid: number
  /** The environment of its sessions: a home, PATH and the model's address. */
  readonly env: Readonly<Record<string, string>>
  /** Lines of standard error, without those about its address and its requested end. */
  readonly standardError: readonly string[]
  /** Connects; `onSocket` is called with the events of the socket below. */
  open(onSocket?: (socket: Socket) => void): Observable<Transport>
  /** Creates a folder with the files that tools work on. */
  project(): string
  /** Resolves when the server has collected its garbage. */
  collect(): Promise<void>
  /** Sends SIGTERM; resolves to its exit. */
  stop(): Promise<string>
}

const expected = /^rxpi: (listening at|SIGTERM: closing every session)/
/** A stalled answer ends after this. */
const idleMs = 8_000

export async function soakServer(
  { root, folder, spawn }: Workspace,
  { baseUrl, restAfterS }: { readonly baseUrl: string; readonly restAfterS: number },
): Promise<SoakServer> {
  const [home, socketPath] = [path.join(folder, 'home'), path.join(folder, 'run/rxpi.sock')]
  mkdirSync(path.join(home, '.config/rxpi'), { recursive: true, mode: 0o700 })
  writeFileSync(path.join(home, '.config/rxpi/settings.json'), JSON.stringify({ limits: { idleMs } }))
  const base = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: folder }
  const args = ['serve', '--socket', socketPath, '--rest-after', `${restAfterS}s`]
  // warnings are printed with their origin
  const preloaded = JSON.stringify(path.join(root, 'bench/soak/collect-on-signal.cjs'))
  const without = process.env['RXPI_WITHOUT'] ?? '' // compares memory settings: lib/server/launch/memory-settings.ts
  const env = { ...base, RXPI_WITHOUT: without, NODE_OPTIONS: `--trace-warnings --require ${preloaded}` }
  const child = spawn(path.join(root, 'bin/rxpi'), args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const standardError: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    standardError.push(...text.split('\n').filter((line) => line !== '' && !expected.test(line)))
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let projects = 0
  const server: SoakServer = {
    pid: child.pid ?? 0,
    env: { ...base, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'soak' },
    standardError,
    open: (onSocket = () => undefined) =>
      dialSocket(socketPath).pipe(
        tap(onSocket),
        map((socket) => streamTransport(socket)),
      ),
    project: () => projectIn(folder, (projects += 1)),
    collect: async () => {
      child.kill('SIGUSR2')
      await delay(1_000) // no event marks its end: it takes a tenth of that
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [code, signal] = await ended
      return signal ?? `exit code ${code}`
    },
  }
  while (!(await takes(server))) {
    if (child.exitCode !== null) throw new Error(`The server ended before it listened: ${standardError.join(' ')}`)
    await delay(20)
  }
  return server
}

async function takes(server: SoakServer): Promise<boolean> {
  try {
    ;(await firstOf(server.open())).close()
    return true
  } catch {
    return false // not yet
  }
}

function projectIn(folder: string, number: number): string {
  const project = path.join(folder, `project-${number}`)
  mkdirSync(project)
  for (const name of stormFiles) {
    const text = `${'a line of the file that is read\n'.repeat(1_000)}${stormMark}\n`
    writeFileSync(path.join(project, name), text)
  }
  return project
}
