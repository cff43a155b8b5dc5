// Tests the detector of leaks of a test file.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureGuardian } from '../../lib/host/process/guardian.ts'
import { leftSince, restoreGlobals, takeStock } from './no-leaks.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'rxpi-leaks-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Starts something and returns a function that ends it. */
type Leak = () => (() => unknown) | Promise<() => unknown>

const leaks: readonly [string, RegExp, Leak][] = [
  [
    'timers', // several, because one of the runner's own may end meanwhile
    /^\d+ Timeout$/,
    () => {
      const timers = Array.from({ length: 9 }, () => setTimeout(() => undefined, 60_000))
      return () => timers.forEach(clearTimeout)
    },
  ],
  [
    'a server',
    /^1 TCPServerWrap$/,
    async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return () => server.close()
    },
  ],
  [
    'a socket',
    /^1 TCPServerWrap\n2 TCPSocketWrap$/,
    async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('no port')
      const socket = connect(address.port, '127.0.0.1')
      await once(server, 'connection')
      return () => {
        socket.destroy()
        server.close()
      }
    },
  ],
  [
    'a watcher',
    /^1 FSEventWrap$/,
    () => {
      const watcher = watch(folder)
      return () => watcher.close()
    },
  ],
  [
    'a process',
    /^1 ProcessWrap\nprocess \d+: sleep 60$/,
    async () => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      await once(child, 'spawn')
      return () => child.kill()
    },
  ],
  [
    'a process that the event loop does not wait for',
    /^process \d+: sleep 60$/,
    async () => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      await once(child, 'spawn')
      child.unref()
      return () => child.kill()
    },
  ],
]

describe('leftSince', () => {
  it.each(leaks)('reports %s, until it is ended', async (_, report, start) => {
    const before = takeStock()
    const end = await start()
    expect((await leftSince(before, { withinMs: 0 })).join('\n')).toMatch(report)
    end()
    expect(await leftSince(before)).toEqual([])
  })

  it('lists the files of the folder', async () => {
    const before = takeStock()
    expect(await leftSince(before, { folder })).toEqual([])
    writeFileSync(path.join(folder, 'left'), '')
    expect(await leftSince(before, { folder, withinMs: 0 })).toEqual(['file left'])
  })

  it('ignores what existed before, and what ends in time', async () => {
    const timer = setTimeout(() => undefined, 60_000)
    const before = takeStock()
    setTimeout(() => undefined, 30)
    expect(await leftSince(before)).toEqual([])
    clearTimeout(timer)
  })

  it('ignores the guardian, which ends with its process', async () => {
    const before = takeStock()
    ensureGuardian()
    expect(await leftSince(before, { withinMs: 0 })).toEqual([])
  })
})

describe('restoreGlobals', () => {
  it('puts back the folder and the umask, and names both', () => {
    const before = takeStock()
    process.chdir(folder)
    process.umask(before.umask ^ 0o070)
    const [cwd, mask] = [process.cwd(), (before.umask ^ 0o070).toString(8)]
    expect(restoreGlobals(before)).toEqual([`another folder: ${cwd}`, `another umask: ${mask}`])
    expect(restoreGlobals(before)).toEqual([])
    expect([process.cwd(), takeStock().umask]).toEqual([before.cwd, before.umask])
  })
})

describe('every test file', () => {
  const files = {
    nothing: inTest('setTimeout(() => undefined, 1)'),
    resources: inTest(`
      setInterval(() => undefined, 1_000)
      process.getBuiltinModule('child_process').spawn('sleep', ['30'], { stdio: 'ignore' })
      process.getBuiltinModule('fs').writeFileSync(process.env.TMPDIR + '/left', '')
    `),
    global: `
      import { afterEach, it, vi } from 'vitest'
      afterEach(() => vi.useRealTimers())
      it('spies on a fake timer', () => {
        vi.useFakeTimers()
        vi.spyOn(globalThis, 'setInterval')
      })
    `,
    unloadable: `import './nowhere.js'`,
  }
  let output = ''
  beforeEach(async () => {
    if (output === '') output = await runFiles(files)
  })

  it('passes if it leaves nothing', () => {
    expect(output).toMatch(/✓ nothing\.test\.js/)
  })

  it('fails if it leaves a timer, a process and a file', () => {
    const report =
      /FAIL {2}resources\.test\.js[^]*?left behind:\n1 ProcessWrap\n1 Timeout\nprocess (\d+): sleep 30\nfile left/
    const [, pid] = report.exec(output) ?? []
    expect(pid).toEqual(expect.any(String))
    process.kill(Number(pid))
  })

  it('fails if it leaves a global replaced', () => {
    expect(output).toMatch(/FAIL {2}global\.test\.js[^]*?left behind:\na replaced global: setInterval/)
  })

  it('fails if it cannot be loaded, and no file leaves its folder', () => {
    expect(output).toMatch(/FAIL {2}unloadable\.test\.js/)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('rxpi-test-'))).toEqual([])
  })

  it('has no folder inside that of an earlier file, also if the tests of that one are all skipped', async () => {
    const parent = `process.getBuiltinModule('path').dirname(process.env.TMPDIR)`
    const skipped = `import { it } from 'vitest'\nit.skip('is skipped', () => undefined)`
    const next = inTest(`if (${parent} !== ${JSON.stringify(tmpdir())}) throw new Error('inside ' + ${parent})`)
    const shown = await runFiles({ first: skipped, second: next }, inOneProcess)
    expect(shown).toMatch(/✓ second\.test\.js/)
    expect(shown).toMatch(/↓ first\.test\.js/)
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('rxpi-test-'))).toEqual([])
  })
})

/** Options of vitest: by name, one after the other. */
const inOneProcess = `isolate: false, maxWorkers: 1, sequence: { sequencer: class {
  sort = async (files) => files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
  shard = async (files) => files
} },`

/** A file whose one test does this. */
function inTest(code: string): string {
  return `import { it } from 'vitest'\nit('passes', () => {\n${code}\n})`
}

/** The result of vitest for these files, by their names. */
async function runFiles(files: Readonly<Record<string, string>>, options = ''): Promise<string> {
  const root = mkdtempSync(path.join(folder, 'files-'))
  for (const [name, code] of Object.entries(files)) writeFileSync(path.join(root, `${name}.test.js`), code)
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'))
  const setup = path.resolve('test/support/watch-leaks.ts')
  const config = `export default { test: { ${options} setupFiles: [${JSON.stringify(setup)}], reporters: ['default'] } }`
  writeFileSync(path.join(root, 'vitest.config.mjs'), config)
  return new Promise((resolve) => {
    const vitest = path.resolve('node_modules/vitest/vitest.mjs')
    const env = { ...process.env, NO_COLOR: '1' }
    execFile(process.execPath, [vitest, 'run', '--root', root], { cwd: root, env }, (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`)
    })
  })
}
