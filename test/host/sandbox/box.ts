// A workspace, a home and an outside on a part of the disk that the sandbox shows, with servers that nothing may reach.
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import type { Observable } from 'rxjs'
import { mergeMap, takeWhile } from 'rxjs'
import { valuesOf } from '../../support/values-of.ts'
import { createSandbox } from '../../../lib/host/sandbox/session/create-sandbox.ts'
import type { Sandbox, SandboxSettings } from '../../../lib/host/sandbox/session/create-sandbox.ts'
import { probeSandbox } from '../../../lib/host/sandbox/probe-sandbox.ts'
import type { SandboxedEvent } from '../../../lib/host/sandbox/spawn-inside.ts'

const [probe] = await valuesOf(probeSandbox())
/** Why the tests of real sandboxes are skipped here; undefined if they run. */
export const noSandbox = probe?.works === true ? undefined : (probe?.message ?? 'the probe is silent')
// a sandbox that does not hold is no reason to skip its tests
if (probe?.works === false && (probe.reason === 'leaks' || probe.reason === 'failed')) throw new Error(probe.message)
if (noSandbox !== undefined) console.warn(`no real sandbox here, its tests are skipped: ${noSandbox}`)

export interface Box {
  readonly base: string
  at(...names: string[]): string
  /** Connections that any server of the box got. */
  readonly connections: () => number
  readonly env: Readonly<Record<string, string>>
  open(settings?: SandboxSettings): Observable<Sandbox>
  run(script: string, settings?: SandboxSettings, env?: Readonly<Record<string, string>>): Promise<Ran>
  close(): Promise<void>
}

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
  readonly moved: readonly string[]
  readonly appeared: readonly string[]
}

/** Folders that the sandbox does not replace. */
function visibleFolder(): string {
  const writable = [path.join(homedir(), '.cache'), homedir(), '/var/lib', '/opt'].filter((folder) => {
    try {
      accessSync(folder, constants.W_OK)
      return !['/tmp', '/run', '/var/tmp'].some((replaced) => realpathSync(folder).startsWith(replaced))
    } catch {
      return false
    }
  })
  return realpathSync(writable[0] ?? tmpdir())
}

export async function createBox(): Promise<Box> {
  const base = realpathSync(mkdtempSync(path.join(visibleFolder(), 'rxpi-box-')))
  const tmp = realpathSync(mkdtempSync(path.join(tmpdir(), 'box-')))
  const at = (...names: string[]): string => path.join(base, ...names)
  fill(at)
  const runSocket = `/run/rxpi-box-${process.pid}.sock`
  const abstract = `rxpi-box-${process.pid}`
  let connections = 0
  const listen = async (where: object): Promise<Server | undefined> => {
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    return new Promise((resolve) => {
      server.once('error', () => resolve(undefined)).listen(where, () => resolve(server))
    })
  }
  const places = [
    path.join(tmp, 'd.sock'),
    at('outside/x.sock'),
    at('state/s.sock'),
    at('runtime/bus'),
    runSocket,
    `\0${abstract}`,
  ]
  const [web, ...sockets] = await Promise.all([
    listen({ port: 0, host: '::' }),
    ...places.map((each) => listen({ path: each })),
  ])
  const address = web?.address()
  const env = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: at('home'),
    WORK: at('work'),
    OUT: at('outside'),
    STATE: at('state'),
    CONFIG: at('config'),
    XDG_RUNTIME_DIR: at('runtime'),
    SSH_AUTH_SOCK: at('runtime/bus'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${at('runtime/bus')}`,
    RXPI_TEST_SECRET: 'v',
    UPID: String(process.pid),
    PORT: String(typeof address === 'object' ? address?.port : 1),
    HOST_TMP_SOCK: places[0] ?? '',
    OUT_SOCK: places[1] ?? '',
    STATE_SOCK: places[2] ?? '',
    RUNTIME_SOCK: places[3] ?? '',
    RUN_SOCK: sockets[4] === undefined ? '' : runSocket,
    ABSTRACT: abstract,
  }
  const open$ = (settings: SandboxSettings = { mode: 'workspace' }): Observable<Sandbox> =>
    createSandbox(settings, {
      workspace: at('work'),
      homeFolder: at('home'),
      rxpiFolders: [at('state'), at('config')],
      readable: [at('state/spill')],
      env,
    })
  return {
    base,
    at,
    env,
    open: open$,
    connections: () => connections,
    run: (script, settings, more = {}) => runIn(open$(settings), script, at('work'), { ...env, ...more }),
    close: async () => {
      await Promise.all(
        [web, ...sockets].map((server) => new Promise((resolve) => server?.close(resolve) ?? resolve(0))),
      )
      rmSync(base, { recursive: true, force: true })
      rmSync(tmp, { recursive: true, force: true })
    },
  }
}

function fill(at: Box['at']): void {
  const folders = ['outside', 'state/spill', 'config', 'runtime', 'home/.ssh', 'home/dots/aws', 'home/.config']
  const inWork = [
    '.git/hooks',
    '.git/objects',
    '.git/refs/heads',
    '.git/modules/sub/hooks',
    '.husky/_',
    '.vscode',
    '.claude/skills',
    'inner/.git/hooks',
  ]
  for (const folder of [...folders, ...inWork.map((name) => `work/${name}`)]) mkdirSync(at(folder), { recursive: true })
  const files: Readonly<Record<string, string>> = {
    'outside/canary': 'alive',
    'home/.ssh/id_rsa': 'key',
    'home/.npmrc': 'key',
    'home/.bashrc': 'mine',
    'home/dots/aws/credentials': 'key',
    'state/auth.json': 'key',
    'state/spill/full.txt': 'all of it',
    'work/.envrc': 'mine',
    'work/.vscode/tasks.json': '{}',
    'work/.claude/skills/x.md': 'mine',
    'work/.git/HEAD': 'ref: refs/heads/main\n',
    'work/.git/config': '[core]\n\trepositoryformatversion = 0\n\thooksPath = .husky/_\n',
    'work/.git/modules/sub/HEAD': 'ref: refs/heads/main\n',
    'work/.git/modules/sub/config': '[core]\n',
    'work/inner/.git/config': '[core]\n',
    'work/inner/.git/HEAD': 'ref: refs/heads/main\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text)
  symlinkSync(at('home/dots/aws'), at('home/.aws'))
}

export async function runIn(
  sandbox$: Observable<Sandbox>,
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const events = await valuesOf(
    sandbox$.pipe(
      mergeMap((sandbox) => sandbox.spawn({ program: '/bin/bash', args: ['-c', script], cwd, env })),
      takeWhile(({ type }) => type !== 'end', true),
    ),
  )
  return summary(events)
}

export function summary(events: readonly SandboxedEvent[]): Ran {
  const text = (stream: 'stdout' | 'stderr'): string =>
    events.flatMap((event) => (event.type === 'output' && event.stream === stream ? [event.text] : [])).join('')
  const end = events.find((event) => event.type === 'end')
  const fence = events.find((event) => event.type === 'fence')
  return {
    stdout: text('stdout'),
    stderr: text('stderr'),
    exitCode: end?.exitCode ?? null,
    moved: fence?.moved ?? [],
    appeared: fence?.appeared ?? [],
  }
}
