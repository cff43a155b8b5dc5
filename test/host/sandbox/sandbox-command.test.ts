// The command line of a sandbox and the plan behind it: runs everywhere, also without bubblewrap.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdPlaceholders, restoreGuarded } from '../../../lib/host/sandbox/guarded-paths.ts'
import { socketMounts } from '../../../lib/host/sandbox/mount-plan.ts'
import { sandboxCommand } from '../../../lib/host/sandbox/sandbox-command.ts'
import type { SandboxProfile } from '../../../lib/host/sandbox/sandbox-profile.ts'

let base: string
const at = (...names: string[]): string => path.join(base, ...names)

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-plan-')))
  for (const folder of ['work/.git', 'home/.ssh', 'state', 'temp']) mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('work/.git/config'), '')
})
afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function wrap(env: Readonly<Record<string, string>> = {}, more: Partial<SandboxProfile> = {}) {
  const profile = {
    name: 'workspace',
    workspace: at('work'),
    temp: at('temp'),
    homeFolder: at('home'),
    rxpiFolders: [at('state')],
    ...more,
  } as const
  const plain = { command: '/bin/bash', args: ['-c', 'true'], cwd: at('work'), env }
  return sandboxCommand(profile, plain, { kind: 'bubblewrap', program: '/usr/bin/bwrap' })
}

describe('sandboxCommand', () => {
  it('makes the root read-only, drops capabilities and has no network [SANDBOX-escape]', () => {
    const line = wrap().args.join(' ')
    const temp = `--bind ${at('temp')} /tmp`
    for (const part of ['--ro-bind / /', '--ro-bind /proc/sys /proc/sys', '--cap-drop ALL', '--unshare-net', temp])
      expect(line).toContain(part)
    expect(line.indexOf(temp)).toBeLessThan(line.indexOf(`--bind ${at('work')} ${at('work')}`))
  })

  it('enters the network of the session first, and asks its forwarder [SANDBOX-loopback]', () => {
    const network = { enter: ['/usr/bin/nsenter', '--net=/proc/1/fd/9', '--'], proxyPort: 4128 } as const
    const { command, args, env } = wrap({}, { network, proxySocket: at('proxy.sock') })
    expect([command, ...args.slice(0, 3)]).toEqual([...network.enter, '/usr/bin/bwrap'])
    expect(args).not.toContain('--unshare-net')
    expect(args).toContain('--unshare-user')
    expect(env['https_proxy']).toBe('http://127.0.0.1:4128')
    expect(args.join(' ')).not.toContain('rxpi-ready') // no forwarder of its own
  })

  it('binds control files read-only, holds their folder, and plans for those that are missing [SANDBOX-git]', () => {
    const { args, placeholders, guarded } = wrap()
    const line = args.join(' ')
    expect(line).toContain(`--bind ${at('work/.git')} ${at('work/.git')} --ro-bind ${at('work/.git/config')}`)
    expect(placeholders).toEqual([at('work/.rxpi'), at('work/.git/hooks')])
    expect(guarded).toContainEqual({ path: at('work/.git/commondir'), protection: 'deny' })
    expect(guarded).toContainEqual({ path: at('work/.envrc'), protection: 'ask' })
  })

  it('removes placeholders with the last use, and moves intruders aside [SANDBOX-git]', () => {
    const { placeholders, guarded } = wrap()
    const releases = [holdPlaceholders(placeholders), holdPlaceholders(placeholders)]
    expect(existsSync(at('work/.rxpi'))).toBe(true)
    writeFileSync(at('work/.git/commondir'), '../evil')
    expect(restoreGuarded(guarded, placeholders).moved).toEqual([at('work/.git/commondir.rxpi-blocked')])
    releases[0]?.()
    expect(existsSync(at('work/.rxpi'))).toBe(true)
    releases[1]?.()
    expect(readdirSync(at('work'))).toEqual(['.git'])
  })

  it('ends with its parent and has its own processes and terminal session [SANDBOX-life]', () => {
    expect(wrap().args).toEqual(
      expect.arrayContaining([
        '--die-with-parent',
        '--unshare-pid',
        '--unshare-ipc',
        '--unshare-cgroup-try',
        '--new-session',
      ]),
    )
  })

  it('keeps package managers from waiting for a network that is not there, unless the user wants it', () => {
    const { env } = wrap()
    expect(env).toMatchObject({ npm_config_update_notifier: 'false', npm_config_fetch_retries: '0', PIP_RETRIES: '0' })
    expect(wrap({ npm_config_fetch_retries: '5' }).env['npm_config_fetch_retries']).toBe('5')
    const reachable = wrap({}, { proxySocket: at('proxy.sock') }).env
    expect(reachable['npm_config_update_notifier']).toBe('false')
    expect(reachable['npm_config_fetch_retries']).toBeUndefined()
  })

  it('drops agents and buses from the environment, and keeps loader variables from bubblewrap [SANDBOX-sockets, S13a]', () => {
    const { env, args } = wrap({
      SSH_AUTH_SOCK: 's',
      DBUS_SESSION_BUS_ADDRESS: 'd',
      RXPI_HOME: 'r',
      LD_PRELOAD: 'evil',
      A: '1',
    })
    expect(env).toMatchObject({ A: '1', TMPDIR: '/tmp' })
    for (const name of ['SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS', 'RXPI_HOME', 'LD_PRELOAD'])
      expect(env[name]).toBeUndefined()
    expect(args.join(' ')).toContain('--setenv LD_PRELOAD evil')
  })

  it('replaces the folders with sockets of the system and of the user, also for sockets to come [SANDBOX-sockets, S13a]', () => {
    mkdirSync(at('runtime'))
    const line = wrap({ XDG_RUNTIME_DIR: at('runtime') }).args.join(' ')
    const system = ['/run', '/var/tmp'].filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder))
    for (const folder of [at('runtime'), ...system.filter((real) => real !== '/tmp')])
      expect(`${line} `).toContain(`--tmpfs ${folder} `)
    expect(wrap({ XDG_RUNTIME_DIR: 'runtime' }).args).not.toContain('runtime')
  })

  it('counts only visible sockets against the limit of a command line [SANDBOX-sockets, S13a]', () => {
    const below = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}`)
    const mounts = [{ path: '/home/a/work', kind: 'write' }, { path: '/run', kind: 'empty' }, { path: '/tmp', kind: 'temp' }] as const // prettier-ignore
    const sockets = [
      ...below('/run', 150),
      ...below('/tmp', 150),
      ...below('/home/a/work', 3),
      ...below('/home/a', 201),
    ]
    const hidden = socketMounts(sockets, { workspace: '/home/a/work', temp: '/tmp/t' }, mounts)
    expect(hidden).toEqual(below('/home/a', 200).map((socket) => ({ path: socket, kind: 'hide-file' })))
  })

  // The temporary folder of a test is below /tmp, which the sandbox replaces as a whole.
  it.runIf(existsSync('/dev/shm'))('covers sockets that listen anywhere [SANDBOX-sockets, S13a]', async () => {
    const folder = mkdtempSync('/dev/shm/rxpi-plan-')
    const socket = path.join(folder, 'agent.sock')
    const server = createServer().listen(socket)
    try {
      await new Promise((resolve) => server.once('listening', resolve))
      expect(wrap().args.join(' ')).toContain(`--ro-bind /dev/null ${socket}`)
      expect(wrap({}, { workspace: folder }).args.join(' ')).not.toContain(`--ro-bind /dev/null ${socket}`)
    } finally {
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
