// Tests the bash tool.
// Over 250 lines: one tool, and each way in which a command may end or go on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import type { ToolContext, ToolProgress } from '../../../lib/streams/ports/tool.ts'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import { tools } from '../../../lib/tools/index.ts'
import { call, resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'
import { endAll, processesWith, uniqueSeconds, until } from '../../host/process/processes-with.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { sampleRows, sampleSize } from '../../support/sample-size.ts'

let folder: string
let seconds: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-bash-test-')))
  seconds = uniqueSeconds()
})
afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  const left = processesWith(seconds)
  endAll(seconds)
  rmSync(folder, { recursive: true })
  expect(left).toEqual([])
})

const bash = () => createBashTool({ spillFolder: path.join(folder, 'spill') })

async function run(command: string, more: { timeout?: number; context?: Partial<ToolContext> } = {}) {
  const { context, ...args } = more
  const calls$ = call(bash(), { command, ...args }, testContext(folder, context))
  const values = await lastValueFrom(calls$.pipe(toArray()), { defaultValue: [] })
  const result = values.at(-1)
  if (result?.type !== 'result') throw new Error('no result')
  const updates = values.filter((value): value is ToolProgress => value.type === 'progress')
  return { updates, result, text: textOf(result) }
}

toolContract('bash', () => ({
  tool: tools.bash,
  succeeding: () => ({ command: 'echo hello' }),
  failing: () => ({ command: 'exit 3' }),
  pending: () => ({ command: 'echo started; sleep 100; echo done' }),
  invalid: [{}, { command: 1 }, { command: 'a', timeout: -1 }, { command: 'a', timeout: 3e6 }],
}))

describe('bash', () => {
  it('streams both outputs, and joins them in the result', async () => {
    const { updates, text, result } = await run('echo out; sleep 0.1; echo err >&2')
    expect(updates).toEqual([
      { type: 'progress', updateType: 'stdout', content: 'out\n', offset: 0 },
      { type: 'progress', updateType: 'stderr', content: 'err\n', offset: 0 },
    ])
    expect(text).toBe('out\nerr\n')
    expect(result).not.toHaveProperty('isError')
    expect(result.details).toEqual({
      exitCode: 0,
      signal: null,
      timedOut: false,
      totalLines: 2,
      totalBytes: 8,
      isCut: false,
      leftBehind: 0,
    })
  })

  it('emits output while the command still runs', async () => {
    const first = await firstValueFrom(call(bash(), { command: `echo early; sleep ${seconds}` }, testContext(folder)), {
      defaultValue: undefined,
    })
    expect(first).toMatchObject({ type: 'progress', content: 'early\n' })
  })

  it.each([
    ['exit 3', '[exit code 3]', { exitCode: 3, signal: null }],
    ['echo no; exit 1', 'no\n[exit code 1]', { exitCode: 1 }],
    ['printf no; exit 1', 'no\n[exit code 1]', { exitCode: 1 }],
    ['kill -SEGV $$', '[Ended by signal SIGSEGV.]', { exitCode: null, signal: 'SIGSEGV' }],
  ])('returns %j as an error with its output', async (command, text, details) => {
    const { result, text: returned } = await run(command)
    expect(returned).toBe(text)
    expect(result).toMatchObject({ isError: true, details })
  })

  it('reports that there is no output', async () => {
    expect((await run(':')).text).toBe('(no output)')
  })

  it('runs a command that begins with a dash', async () => {
    expect((await run('-x')).text).toMatch(/-x: command not found\n\[exit code 127\]/)
  })

  it("runs in the context's folder with the context's environment and closed standard input", async () => {
    const context = { env: { PATH: process.env['PATH'] ?? '', GREETING: 'hello' } }
    expect((await run('pwd; echo $GREETING; cat; echo ${HOME-none}', { context })).text).toBe(
      `${folder}\nhello\nnone\n`,
    )
  })

  it('never takes a shell from the workspace or a relative entry of PATH [S16a]', async () => {
    mkdirSync(path.join(folder, 'bin'))
    for (const name of ['bash', 'sh']) {
      writeFileSync(path.join(folder, 'bin', name), '#!/bin/sh\necho planted\n')
      chmodSync(path.join(folder, 'bin', name), 0o755)
    }
    const context = { env: { PATH: `bin:${path.join(folder, 'bin')}:.:${process.env['PATH'] ?? ''}` } }
    expect((await run('echo real', { context })).text).toBe('real\n')
  })

  it('does not read the signal, so the run does not wait for it', async () => {
    const context = testContext(folder)
    const untouched = { ...context, get signal(): AbortSignal { throw new Error('taken') } } // prettier-ignore
    expect(textOf(await resultOf(bash(), { command: 'echo fine' }, untouched))).toBe('fine\n')
  })

  it('explains in a result that a command cannot start', async () => {
    const context = { cwd: path.join(folder, 'nowhere') }
    const { result, text } = await run('echo hello', { context })
    expect(result.isError).toBe(true)
    expect(text).toMatch(/its working folder .*nowhere does not exist/)
    expect((await run(`: ${'x'.repeat(200_000)}`)).text).toMatch(/too long for this system; write it to a file/)
  })

  it.each([-1, Number.NaN, 2 ** 31])('refuses a time limit of %d ms', (timeoutMs) => {
    expect(() => createBashTool({ timeoutMs })).toThrow(/timeoutMs/)
  })

  describe('its text', () => {
    it('has no escape sequences of terminals in the result, and all of them in the updates', async () => {
      const { text, updates } = await run(
        String.raw`printf '\033[1;31mred\033[0m \033]8;;http://x\033\\link\033]8;;\033\\ \tend\n'`,
      )
      expect(text).toBe('red link \tend\n')
      expect(updates[0]?.content).toContain('\u{1B}[1;31mred')
    })

    it('has U+FFFD for NUL and for bytes that are not UTF-8', async () => {
      expect((await run(String.raw`printf 'a\0b\xffc'`)).text).toBe('a\u{FFFD}b\u{FFFD}c')
    })
  })

  describe('a time limit', () => {
    it('ends the command and keeps its output', async () => {
      const { result, text } = await run(`echo before; sleep ${seconds}`, { timeout: 0.2 })
      expect(text).toBe(
        'before\n[Ended after 0.2 s, its time limit. If it needs longer, set a longer timeout (in seconds) or background: true; if it waits for input, pty: true.]',
      )
      expect(result).toMatchObject({ isError: true, details: { timedOut: true } })
    })

    it('applies also to a command that ignores SIGTERM and exits with 0', async () => {
      const { result } = await run(`trap 'echo late; exit 0' TERM; sleep ${seconds} & wait`, { timeout: 0.2 })
      expect(result).toMatchObject({ isError: true, details: { timedOut: true, exitCode: 0 } })
      expect(textOf(result)).toContain('late\n')
      expect((await run(`trap '' TERM; sleep ${seconds}; sleep ${seconds}`, { timeout: 0.2 })).result.isError).toBe(
        true,
      )
    })

    it('comes from the factory unless the call sets another; 0 is none [LOOP-15b]', async () => {
      const impatient = createBashTool({ timeoutMs: 100 })
      const runs = async (args: object) => resultOf(impatient, args, testContext(folder))
      expect(await runs({ command: `sleep ${seconds}` })).toMatchObject({ details: { timedOut: true } })
      expect(await runs({ command: 'sleep 0.3', timeout: 0 })).toMatchObject({ details: { timedOut: false } })
      expect(await runs({ command: 'sleep 0.3', timeout: 5 })).toMatchObject({ details: { timedOut: false } })
    })
  })

  it('is 120 s by default [LOOP-15b]', async () => {
    const intervals = vi.spyOn(globalThis, 'setInterval') // RxJS makes its timers of it
    await resultOf(createBashTool(), { command: 'true' }, testContext(folder))
    expect(intervals.mock.calls.map(([, ms]) => ms)).toContain(120_000)
  })

  describe('a long output', () => {
    it('is cut to its last 2,000 lines, and a private file has all of it', async () => {
      const { text, result } = await run('for ((i = 1; i <= 5000; i++)); do echo "line $i"; done')
      expect(text.startsWith('line 3001\n')).toBe(true)
      const [, file = ''] =
        /line 5000\n\[This is lines 3001-5000 of 5000 \(48 KB in all\)\. All of it: (.*)\]$/.exec(text) ?? []
      expect(result.details).toMatchObject({ isCut: true, totalLines: 5000, fullOutput: file })
      expect(readFileSync(file, 'utf8')).toBe(
        Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join(''),
      )
      expect(path.dirname(file)).toBe(path.join(folder, 'spill/aaaaaaaaaaaa'))
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
    })

    it('is cut to its last 50 KB if its lines are long', async () => {
      const { text } = await run(`head -c 200000 /dev/zero | tr '\\0' 'x' | fold -w 999; echo; echo end`)
      const [shown = '', notice = ''] = text.split('\n[')
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(51_200)
      expect(shown).toMatch(/^x{999}\n[^]*\nend$/)
      expect(notice).toMatch(/^This is lines 151-202 of 202 \(196 KB in all\)/)
    })

    it('that is one long line is cut within the line', async () => {
      const { text } = await run(`head -c 200000 /dev/zero | tr '\\0' 'x'`)
      expect(text).toMatch(/^x{51200}\n\[This is the last 50 KB of line 1 \(195 KB in all\)\. All of it: /)
    })

    it('leaves no file if all of it is shown', async () => {
      const { text } = await run('for ((i = 1; i <= 2000; i++)); do echo $i; done')
      expect(text).toMatch(/^1\n[^]*\n2000\n$/)
      expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.txt'))).toEqual([])
    })

    it('leaves no file if the call was unsubscribed', async () => {
      const subscription = call(bash(), { command: `seq 100000; sleep ${seconds}` }, testContext(folder)).subscribe()
      const spilled = () => readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.txt'))
      await until(spilled)
      subscription.unsubscribe()
      expect(spilled()).toBe(false)
    })

    it('is still shown if it cannot be stored', async () => {
      mkdirSync(path.join(folder, 'elsewhere'))
      symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'spill'))
      const { text, result } = await run('seq 3000')
      expect(text).toMatch(
        /\n3000\n\[This is lines 1001-3000 of 3000 \(.*\)\. The rest could not be stored: .*symbolic link/,
      )
      expect(result).not.toHaveProperty('isError')
      expect(readdirSync(path.join(folder, 'elsewhere'))).toEqual([])
    })

    it('is not stored in the folder of a session whose id is a path', async () => {
      const { text } = await run('seq 3000', { context: { sessionId: '../../elsewhere' } })
      expect(text).toContain('could not be stored: the session id')
    })

    it('is not stored without a folder for it', async () => {
      const result = await resultOf(tools.bash, { command: 'seq 3000' }, testContext(folder))
      expect(textOf(result)).toMatch(/of 3000 \(14 KB in all\)\. The rest was not stored\.\]$/)
      expect(readdirSync(folder)).toEqual([])
    })
  })

  describe('processes that a command leaves running', () => {
    it('are ended and reported, even if they hold the output open', async () => {
      const { text, result } = await run(`sleep ${seconds} & echo started`)
      expect(text).toMatch(/^started\n\[The command left processes running \(sleep\); they were ended/)
      expect(result.details).toMatchObject({ exitCode: 0, leftBehind: 1 })
    })
  })

  describe('an abort', () => {
    const grandchildren = [
      ['ignores SIGTERM and has called setsid', 'setsid bash -c "trap \'\' TERM; sleep S; sleep S" & wait'],
      ['listens to SIGTERM', 'sleep S & wait'],
      ['ignores SIGTERM', "(trap '' TERM; sleep S; sleep S) & wait"],
      ['has called setsid', 'setsid sleep S & wait'],
    ] as const
    it.each(sampleRows(grandchildren, 2))('leaves no orphan if a grandchild %s', async (_, command) => {
      const subscription = call(bash(), { command: command.replaceAll('S', seconds) }, testContext(folder)).subscribe()
      await until(() => processesWith(`sleep\0${seconds}`).length > 0)
      subscription.unsubscribe()
      await until(() => countLiveCalls() === 0)
      expect(processesWith(seconds)).toEqual([])
    })
  })

  describe('in a process of its own', () => {
    function start(command: string, timeout = 120) {
      const script = path.join(import.meta.dirname, 'fixtures/run-bash.ts')
      const child = spawn(process.execPath, [script, command, folder, String(timeout)], {
        env: withCompileCache(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return { child, lines: createInterface({ input: child.stdout }) }
    }

    it('leaves no process after kill -9', async () => {
      const command = [
        `sleep ${seconds} &`,
        `(trap '' TERM HUP; sleep ${seconds}; sleep ${seconds}) &`,
        `setsid sleep ${seconds} >/dev/null 2>&1 &`,
        'sleep 0.1; echo ready; wait',
      ].join('\n')
      const { child, lines } = start(command)
      await once(lines, 'line')
      expect(processesWith(`sleep\0${seconds}`)).toHaveLength(3)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await until(() => processesWith(seconds).length === 0, 10_000)
    })

    const flooded = sampleSize(80e6, 150e6)
    it(`keeps its memory flat under a flood: at most 60 MB more for ${flooded / 1e6} MB of output`, async () => {
      const started = performance.now()
      const flood = `yes "a line of a flood that nobody reads, as long as such lines are" | head -c ${flooded}`
      const { child, lines } = start(flood)
      const values: {
        type: string
        rss: number
        offset?: number
        content: unknown
        details?: { totalBytes: number }
      }[] = []
      lines.on('line', (line) => values.push(JSON.parse(line) as (typeof values)[number]))
      await once(child, 'close')
      const updates = values.filter(({ type }) => type === 'progress')
      const growth = Math.max(...values.map(({ rss }) => rss)) - (values[0]?.rss ?? 0)
      expect(values.at(-1)?.details?.totalBytes).toBe(flooded)
      expect(growth).toBeLessThanOrEqual(60 * 2 ** 20)
      expect(updates.length).toBeGreaterThan(2)
      expect(updates.length).toBeLessThanOrEqual(((performance.now() - started) / 1000) * 20)
      expect(updates.every(({ content }) => String(content).length <= 32_768)).toBe(true)
    }, 120_000)
  })
})
