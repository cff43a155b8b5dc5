// Tests `npm test` with stand-ins for its tools: its counts, its last output, and its exit code.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { v8Flags } from '../../scripts/checks/v8-flags.ts'
import { isFull, sampleRows } from '../support/sample-size.ts'

const tools = {
  rxjs: 'node_modules/eslint/bin/eslint.js',
  lint: 'node_modules/oxlint/bin/oxlint',
  types: 'node_modules/tsgo/bin/tsc',
  rooms: 'scripts/rooms/rooms.ts',
  format: 'node_modules/oxfmt/bin/oxfmt',
  tests: 'node_modules/vitest/vitest.mjs',
} as const

type Parts = Readonly<Partial<Record<keyof typeof tools, string>>>

const allPass: Parts = { tests: `console.log('3 passed, 0 failed')` }
let house: string

beforeEach(() => {
  house = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-check-')))
  cpSync('scripts', path.join(house, 'scripts'), { recursive: true })
})

afterEach(() => rmSync(house, { recursive: true }))

/** Replaces each tool by a CommonJS script; a tool without a script succeeds silently. */
function play(parts: Parts): string[] {
  for (const [name, tool] of Object.entries(tools)) {
    const file = path.join(house, tool)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, parts[name as keyof typeof tools] ?? '')
  }
  return [path.join(house, 'scripts/check.ts')]
}

function check(parts: Parts, ...flags: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...play(parts), ...flags], { cwd: house }, (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, lines: stdout.trimEnd().split('\n') })
    })
  })
}

describe('npm test', () => {
  it('counts its own checks with the tests, and prints the total last', async () => {
    const { code, lines } = await check(allPass)
    expect([code, lines.at(-1)]).toEqual([0, '8 passed, 0 failed'])
  })

  it('shows the output of each check that fails, counts it, and still runs the tests', async () => {
    const names = ['rxjs', 'lint', 'types', 'rooms', 'format'] as const
    const failing = names.map((name, index) => [
      name,
      `console.error('the fault of ${name}'); process.exitCode = ${index + 3}`,
    ])
    const { code, lines } = await check({ ...allPass, ...(Object.fromEntries(failing) as Parts) })
    expect([code, lines.at(-1)]).toEqual([1, '3 passed, 5 failed'])
    expect(lines).toContain('3 passed, 0 failed')
    for (const [index, name] of names.entries()) {
      expect(lines).toContain(`the fault of ${name}`)
      const report = lines.find((line) => line.startsWith(`${name}:`))
      expect(report).toMatch(new RegExp(String.raw`failed \(exit ${index + 3}\), [\d.]+ s$`))
    }
  })

  it.runIf(isFull)('fails for one check alone', async () => {
    const { code, lines } = await check({ ...allPass, rooms: 'process.exitCode = 3' })
    expect([code, lines.at(-1)]).toEqual([1, '7 passed, 1 failed'])
  })

  it('runs rxjs, with flags of V8, and rooms beside the tests with the lowest priority, and shows them after these', async () => {
    const rxjs = `const { existsSync } = require('node:fs')
      process.exitCode = 3
      const end = (text) => { console.error(text); clearInterval(look); clearTimeout(limit) }
      const how = () => ['the fault at priority', require('node:os').getPriority(), ...process.execArgv].join(' ')
      const look = setInterval(() => existsSync('begun') && end(how()), 10)
      const limit = setTimeout(end, 10_000, 'no tests')`
    const tests = `import { writeFileSync } from 'node:fs'; writeFileSync('begun', ''); ${allPass.tests}`
    const { code, lines } = await check({ rxjs, tests })
    expect([code, lines.at(-1)]).toEqual([1, '7 passed, 1 failed'])
    const ofBeside = lines.filter((line) => /^(?:tests|rxjs|rooms):|^the fault/.test(line))
    const shown = ofBeside.map((line) => line.split(',')[0])
    const fault = ['the fault at priority 19', ...v8Flags].join(' ')
    expect(shown).toEqual(['tests: ok', 'rxjs: failed (exit 3)', fault, 'rooms: ok'])
  })

  it('counts failed and skipped tests', async () => {
    const { code, lines } = await check({ tests: `console.log('1 passed, 2 failed, 3 skipped'); process.exitCode = 1` })
    expect([code, lines.at(-1)]).toEqual([1, '6 passed, 2 failed, 3 skipped'])
  })

  const ends = [
    ['die before they could count', 'process.exit(7)'],
    ['end badly with no test failed', `console.log('9 passed, 0 failed'); process.exitCode = 1`],
    ['are killed', `process.kill(process.pid, 'SIGKILL')`],
  ] as const
  it.each(sampleRows(ends, 1))('fails when the tests %s', async (_, tests) => {
    const { code, lines } = await check({ tests })
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatch(/^\d+ passed, 1 failed$/)
  })

  it('ends its checks when it is terminated', async () => {
    // The worker of a check holds a connection to this test, which ends when the worker ends.
    const socket = path.join(house, 'worker.sock')
    const server = createServer().listen(socket)
    const worker = `require('node:net').connect(${JSON.stringify(socket)}).on('error', () => process.exit())`
    const tests = `import { spawn } from 'node:child_process'
      spawn(process.execPath, ['-e', ${JSON.stringify(worker)}], { stdio: 'inherit' })`
    const running = spawn(process.execPath, play({ tests }), { cwd: house, stdio: 'ignore' })
    const [connection] = (await once(server, 'connection')) as [Socket]
    const workerEnded = once(connection.resume(), 'close')
    running.kill('SIGTERM')
    expect(await once(running, 'close')).toEqual([null, 'SIGTERM'])
    await workerEnded
    server.close()
  })
})

describe('npm run check', () => {
  const printArguments = `console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 1`

  beforeEach(() => {
    play({})
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: house, stdio: 'ignore' })
    }
    git('init', '--initial-branch=main')
    git('add', '.')
    git('commit', '-m', 'first')
    writeFileSync(path.join(house, 'committed.ts'), '')
    git('add', '.')
    git('commit', '-m', 'second')
    writeFileSync(path.join(house, 'new.ts'), '')
    writeFileSync(path.join(house, 'new.md'), '')
  })

  const argumentsOf = (lines: readonly string[], first: string): string[] =>
    (JSON.parse(lines.find((line) => line.startsWith(`["${first}`)) ?? '[]') as string[]).toSorted()

  it('checks the files that are not committed', async () => {
    const { lines } = await check({ rxjs: printArguments, tests: printArguments }, '--changed')
    expect(argumentsOf(lines, '--no-warn')).toContain('new.ts')
    expect(argumentsOf(lines, '--no-warn')).not.toContain('committed.ts')
    expect(argumentsOf(lines, 'run')).toContain('--changed=HEAD')
  })

  it.runIf(isFull)('checks the files that differ from a commit', async () => {
    const { lines } = await check({ rxjs: printArguments, tests: printArguments }, '--changed', '--changed=HEAD~1')
    expect(argumentsOf(lines, '--no-warn')).toEqual(expect.arrayContaining(['committed.ts', 'new.ts']))
    expect(argumentsOf(lines, 'run')).toContain('--changed=HEAD~1')
  })

  it('passes to each check the files that it reads', async () => {
    const printNamed = (name: string): string =>
      `console.log('${name}' + JSON.stringify(process.argv.slice(2))); process.exitCode = 1`
    const names = ['rxjs', 'lint', 'format'] as const
    const { lines } = await check(Object.fromEntries(names.map((name) => [name, printNamed(name)])), '--changed')
    const passedTo = (name: string): string => lines.find((line) => line.startsWith(`${name}[`)) ?? ''
    for (const name of ['rxjs', 'lint']) {
      expect(passedTo(name)).toContain('new.ts')
      expect(passedTo(name)).not.toContain('new.md')
    }
    expect(passedTo('format')).toContain('new.md')
  })

  it.runIf(isFull)('fails for a commit that git does not have', async () => {
    const { code } = await check({}, '--changed=nowhere')
    expect(code).toBe(1)
  })
})
