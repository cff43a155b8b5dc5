// Tests `listen`: every kind of file that may already be at the socket's path.
// Over 250 lines: one function, and every file that may already be at its path.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { firstValueFrom, lastValueFrom } from 'rxjs'
import type { Subscription } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { probeServer } from '../../../lib/server/socket/probe-server.ts'
import { listen } from '../../../lib/server/socket/listen.ts'
import type { Listener } from '../../../lib/server/socket/listen.ts'
import { sampleRows, sampleSize } from '../../support/sample-size.ts'
import { withCompileCache } from '../../support/compile-cache.ts'

const isRoot = process.geteuid?.() === 0
const program = fileURLToPath(new URL('../../support/listening-process.ts', import.meta.url))
let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-listen-'))
  path = join(folder, 'rxpi.sock')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function listening(): Promise<{ listener: Listener; subscription: Subscription }> {
  return new Promise((resolve, reject) => {
    const subscription = listen({ path }).subscribe({
      next: (listener) => {
        resolve({ listener, subscription })
      },
      error: reject,
    })
  })
}

function refused(): Promise<unknown> {
  return lastValueFrom(listen({ path }), { defaultValue: 'nothing was said' })
}

type Output = Readonly<Record<string, unknown>>

interface Starter {
  readonly pid: number
  report(line: string): Promise<Output>
  kill(): Promise<void>
}

/** @param options the socket that the process gets as descriptor 3 */
async function starter(options: number | 'ignore' = 'ignore'): Promise<Starter> {
  const child = spawn(process.execPath, [program], {
    env: withCompileCache(),
    stdio: ['pipe', 'pipe', 'inherit', options],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('a starter has no pipes')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Output> => JSON.parse(String((await lines.next()).value)) as Output
  const { pid } = await next()
  return {
    pid: Number(pid),
    report: (line) => {
      stdin.write(`${line}\n`)
      return next()
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Leaves a socket whose server ended without removing it. */
async function leaveStale(): Promise<void> {
  const server = createServer().listen(`${path}-`)
  await once(server, 'listening')
  chmodSync(`${path}-`, 0o600)
  renameSync(`${path}-`, path)
  server.close()
  await once(server, 'close')
}

describe('listening', () => {
  it('creates a private folder and socket whatever the umask, and accepts connections [SOCKET-private]', async () => {
    for (const mask of [0o000, 0o077, 0o777]) {
      path = join(folder, mask.toString(8), 'rxpi.sock')
      const before = process.umask(mask)
      const { listener, subscription } = await listening()
      expect(process.umask(before)).toBe(mask)
      expect(statSync(path).mode & 0o7777).toBe(0o600)
      expect(statSync(join(path, '..')).mode & 0o7777).toBe(0o700)
      expect(statSync(`${path}.lock`).mode & 0o077).toBe(0)
      const accepted = firstValueFrom(listener.connections$, { defaultValue: undefined })
      const client = connect(path)
      ;(await accepted)?.destroy()
      await once(client, 'close')
      subscription.unsubscribe()
    }
  })

  it('removes socket and lock when it ends', async () => {
    const { subscription } = await listening()
    subscription.unsubscribe()
    expect(existsSync(path)).toBe(false)
    expect(existsSync(`${path}.lock`)).toBe(false)
    const again = await listening()
    again.subscription.unsubscribe()
  })

  it('fails if this process listens already', async () => {
    const { subscription } = await listening()
    await expect(refused()).rejects.toMatchObject({
      code: 'server_running',
      data: { pid: process.pid, socket: path },
    })
    subscription.unsubscribe()
  })

  it.each([
    ['a file', () => writeFileSync(path, 'mine'), 'is not a socket'],
    ['a symbolic link', () => symlinkSync(join(folder, 'elsewhere'), path), 'is a symbolic link'],
    ['an open folder', () => chmodSync(folder, 0o755), 'has mode 755'],
  ])('refuses %s and changes nothing [S8a]', async (_, prepare, text) => {
    prepare()
    await expect(refused()).rejects.toMatchObject({
      code: 'unsafe_socket',
      message: expect.stringContaining(text) as unknown,
    })
    expect(existsSync(`${path}.lock`)).toBe(false)
    chmodSync(folder, 0o700)
  })

  it('refuses a path that the kernel would truncate [S8c]', async () => {
    path = join(folder, 'x'.repeat(100))
    await expect(refused()).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.each([
    ['in an open folder', () => chmodSync(folder, 0o755), 'has mode 755'],
    ['at another path', () => undefined, 'is not the one at'],
  ])('refuses a passed socket %s', async (_, prepare, text) => {
    prepare()
    const taken = lastValueFrom(listen({ path, descriptor: 3 }), { defaultValue: undefined })
    await expect(taken).rejects.toMatchObject({
      code: 'unsafe_socket',
      message: expect.stringContaining(text) as unknown,
    })
  })

  const wrong = [
    ['the socket at another path', () => createServer().listen(`${path}.other`)],
    ['a port', () => createServer().listen(0, '127.0.0.1')],
  ] as const
  it.each(sampleRows(wrong, 1))(
    'refuses %s as the passed socket, though its path has a socket [S8a]',
    async (_, made) => {
      await leaveStale()
      const system = made()
      await once(system, 'listening')
      const { fd } = (system as unknown as { _handle: { fd: number } })._handle // Node has no public API for this
      const taker = await starter(fd)
      expect(await taker.report(`listen ${path} 3`)).toMatchObject({ code: 'unsafe_socket' })
      await taker.kill()
      system.close()
      await once(system, 'close')
    },
  )

  it('leaves another server’s socket in place if its own was removed [SOCKET-stale]', async () => {
    const first = await listening()
    rmSync(path)
    rmSync(`${path}.lock`)
    const second = await starter()
    await second.report(`listen ${path}`)
    first.subscription.unsubscribe()
    await expect(refused()).rejects.toMatchObject({
      code: 'server_running',
      data: { pid: second.pid, version: '7.7.7' },
    })
    await second.kill()
  })

  it('fails if a process without the lock listens, and names it if it sends hello [SOCKET-stale]', async () => {
    const other = createServer((socket) => socket.end('220 mail\n')).listen(path)
    await once(other, 'listening')
    chmodSync(path, 0o600)
    await expect(refused()).rejects.toMatchObject({
      code: 'server_running',
      message: expect.stringContaining('a process that does not identify itself') as unknown,
    })
    expect(existsSync(`${path}.lock`)).toBe(false)
    other.close()
    await once(other, 'close')
  })

  const left = [
    ['socket and lock', true, true],
    ['socket', true, false],
    ['lock', false, true],
  ] as const
  it.each(sampleRows(left, 1))('replaces the %s of a dead server [SOCKET-stale]', async (_, socket, lock) => {
    const dead = await starter()
    if (lock) {
      await dead.report(`listen ${path}`)
      if (!socket) rmSync(path)
    }
    await dead.kill()
    if (socket && !lock) await leaveStale()
    expect([existsSync(path), existsSync(`${path}.lock`)]).toEqual([socket, lock])
    const { subscription } = await listening()
    expect(await firstValueFrom(probeServer(path, 50), { defaultValue: undefined })).toEqual({ alive: true })
    subscription.unsubscribe()
  })

  it('names the process and version that listen', async () => {
    const first = await starter()
    await first.report(`listen ${path}`)
    await expect(refused()).rejects.toMatchObject({
      code: 'server_running',
      message: expect.stringMatching(new RegExp(`process ${first.pid}, version 7.7.7; .* rxpi stop`)) as unknown,
      data: { pid: first.pid, version: '7.7.7', socket: path },
    })
    await first.kill()
  })

  it.runIf(isRoot)('cannot be connected to by another user, even if the folder is open', async () => {
    const { subscription } = await listening()
    // started by root in the folder, so that neither Node's own files nor the parent folders stop the other user
    const attempt = `
      process.setgroups([])
      process.setgid(65534)
      process.setuid(65534)
      require('net').connect(${JSON.stringify(basename(path))})
        .on('connect', () => process.exit(0))
        .on('error', ({ code }) => { process.stdout.write(code); process.exit(1) })`
    const codes = []
    for (const mode of [0o700, 0o711]) {
      chmodSync(folder, mode)
      const { stdout, status } = spawnSync(process.execPath, ['-e', attempt], { cwd: folder, encoding: 'utf8' })
      codes.push([stdout, status])
    }
    chmodSync(folder, 0o700)
    subscription.unsubscribe()
    expect(codes).toEqual([
      ['EACCES', 1],
      ['EACCES', 1],
    ])
  })
})

const rivals = sampleSize(3, 20)

describe(`${rivals} servers started at once on one path`, () => {
  it(
    'exactly one wins, and the others name it [SOCKET-twenty]',
    { timeout: sampleSize(120_000, 600_000) },
    async () => {
      const starters = await Promise.all(Array.from({ length: rivals }, () => starter()))
      for (let round = 1; round <= sampleSize(1, 20); round += 1) {
        if (round % 2 === 0) await leaveStale() // every second round on the socket of a dead server
        const outcomes = await Promise.all(
          starters.map(async (each) => ({ ...each, output: await each.report(`listen ${path}`) })),
        )
        const winners = outcomes.filter(({ output }) => output['listening'] === true)
        expect(winners).toHaveLength(1)
        const [winner] = winners
        const others = outcomes.filter((each) => each !== winner).map(({ output }) => output)
        for (const output of others) {
          expect(output).toMatchObject({ code: 'server_running', data: { pid: winner?.pid, version: '7.7.7' } })
        }
        const { server } = {
          server: undefined,
          ...(await firstValueFrom(probeServer(path), { defaultValue: { alive: false } })),
        }
        expect(server?.pid).toBe(winner?.pid)
        await winner?.report('close')
      }
      await Promise.all(starters.map((each) => each.kill()))
    },
  )
})
