// Tests the guardian process, which ends the processes of a killed rxpi.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ensureGuardian, guardianProgram } from '../../../lib/host/process/guardian.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { endAll, guardianOf, processesWith, statusOf, uniqueSeconds, until } from './processes-with.ts'
import { sampleRows } from '../../support/sample-size.ts'

const seconds = uniqueSeconds()
const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-guardian-'))
const started: ChildProcess[] = []
afterAll(() => rmSync(folder, { recursive: true }))

afterEach(async () => {
  for (const child of started.splice(0)) {
    const running = isUntouched(child)
    child.kill('SIGKILL')
    if (running) await once(child, 'exit')
  }
  endAll(seconds)
})

function start(program: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  return child
}

/** Resolves at the first output of a child process's script. */
async function startKeeper(script: string, ...folders: readonly string[]): Promise<ChildProcess> {
  const fixture = path.join(import.meta.dirname, 'fixtures/keep-spawning.ts')
  const child = start(process.execPath, [fixture, script, ...folders], withCompileCache({}))
  if (child.stdout === null) throw new Error('no pipe')
  await once(child.stdout, 'data')
  return child
}

function isUntouched(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

const stubborn = [
  `sleep ${seconds} &`,
  `(trap '' TERM HUP; sleep ${seconds}; sleep ${seconds}) &`,
  `setsid sleep ${seconds} &`,
  `(setsid sh -c 'trap "" TERM; while :; do sleep ${seconds} & sleep 0.01; done' >/dev/null 2>&1 &) ;`,
  'sleep 0.1; echo ready; wait',
].join('\n')

describe('the guardian', () => {
  it('leaves no process after kill -9, even if the process ignores SIGTERM, calls setsid or keeps forking', async () => {
    const keeper = await startKeeper(stubborn)
    expect(processesWith(seconds).length).toBeGreaterThan(4)
    keeper.kill('SIGKILL')
    await once(keeper, 'exit')
    await until(() => processesWith(seconds).length === 0, 10_000)
  })

  it('fails the call with a clear error if it cannot be started, and a later call starts it', async () => {
    const script = path.join(import.meta.dirname, 'fixtures/without-descriptors.ts')
    const child = start('/bin/sh', ['-c', 'ulimit -n 60; exec "$0" "$1"', process.execPath, script])
    const [output] = child.stdout === null ? [] : ((await once(child.stdout, 'data')) as [Buffer])
    expect(String(output)).toBe('overloaded, hi, exit 0\n')
  })

  it('removes the temporary folder of a session of kill -9, after its processes', async () => {
    const temp = mkdtempSync(path.join(folder, 'rxpi-session-'))
    const keeper = await startKeeper(
      `cd "${temp}"; while :; do mkdir -p a/b; : > a/b/c; sleep 0.01; done & sleep 0.1; echo ready; sleep ${seconds}`,
      temp,
    )
    keeper.kill('SIGKILL')
    await once(keeper, 'exit')
    await until(() => !existsSync(temp), 20_000)
    expect(processesWith(seconds)).toEqual([])
  })

  it('ends by itself when its work is done', async () => {
    const keeper = await startKeeper(`echo ready; sleep ${seconds}`)
    const guardian = await guardianOf(keeper.pid)
    keeper.kill('SIGKILL')
    await until(() => !processesWith('RXPI_CALL_').includes(guardian))
    expect(processesWith(seconds)).toEqual([])
  })

  it('spares processes of others, also those of another rxpi', async () => {
    const other = start('sleep', [seconds], { [`RXPI_CALL_${'0'.repeat(32)}_1`]: '1' })
    const unmarked = start('sleep', [seconds])
    const keeper = await startKeeper(`echo ready; sleep ${seconds}`)
    const guardian = await guardianOf(keeper.pid)
    expect(processesWith(seconds).length).toBeGreaterThan(2)
    keeper.kill('SIGKILL')
    await until(() => !processesWith('RXPI_CALL_').includes(guardian))
    expect([other, unmarked].map(isUntouched)).toEqual([true, true])
  })

  it('ignores Ctrl-C: it leads a session of its own', async () => {
    const { pid } = await startKeeper(`echo ready; sleep ${seconds}`)
    const guardian = await guardianOf(pid)
    expect(statusOf(guardian)?.session).toBe(guardian)
  })

  it('keeps neither the event loop nor the outputs of its process open', async () => {
    const keeper = await startKeeper('echo ready')
    await once(keeper, 'close')
    expect(keeper.exitCode).toBe(0)
  })

  it('is restarted after it was killed', async () => {
    ensureGuardian()
    const first = await guardianOf(process.pid)
    process.kill(first, 'SIGKILL')
    const isAnother = (): boolean => {
      ensureGuardian()
      return processesWith('RXPI_CALL_').some((pid) => pid !== first && statusOf(pid)?.parent === process.pid)
    }
    await until(isAnother)
  })
})

const shells: string[][] = [['/bin/sh'], ['/bin/bash', '--posix', '--norc']]

describe.each(sampleRows(shells, 1))('the program in %s', (shell, ...flags) => {
  const mark = `RXPI_CALL_${'a'.repeat(32)}_`

  async function runProgram(lines: string, env: Record<string, string> = {}): Promise<void> {
    const child = start(shell, [...flags, '-c', guardianProgram], env)
    child.stdin?.end(lines)
    await once(child, 'exit')
  }

  it('ends announced groups without a mark', async () => {
    const leader = spawn('sh', ['-c', `sleep ${seconds} & wait`], { detached: true, stdio: 'ignore' })
    started.push(leader)
    await until(() => processesWith(seconds).length === 2)
    await runProgram(`${mark}\n+ 999999999\n+ ${leader.pid}\n`)
    await until(() => processesWith(seconds).length === 0)
  })

  it('spares groups that were revoked', async () => {
    const leader = spawn('sleep', [seconds], { detached: true, stdio: 'ignore' })
    started.push(leader)
    await runProgram(`${mark}\n+ ${leader.pid}\n+ 999999999\n- ${leader.pid}\n`)
    expect(isUntouched(leader)).toBe(true)
  })

  it('removes the folders that are left, also those without the right to write, and no other', async () => {
    const parent = mkdtempSync(path.join(folder, 'parent-'))
    const outside = path.join(parent, 'outside')
    mkdirSync(outside)
    const [plain, locked, removed, foreign] = [
      'rxpi-session-a b*d?',
      'rxpi-session-locked',
      'rxpi-proxy-remove',
      'mine',
    ].map((name) => path.join(parent, name)) as [string, string, string, string]
    for (const each of [plain, locked, removed, foreign]) {
      mkdirSync(path.join(each, 'sub'), { recursive: true })
      writeFileSync(path.join(each, 'sub/file'), '')
      symlinkSync(outside, path.join(each, 'link'))
    }
    chmodSync(path.join(locked, 'sub'), 0o500)
    const keepLines = [plain, removed, locked, foreign].map((each) => `keep\n${each}\n`).join('')
    await runProgram(`${mark}\n${keepLines}+ 999999999\ndrop\n${removed}\n`)
    expect([plain, locked, removed, foreign, outside].map((each) => existsSync(each))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
  })

  it.each(['', '\n', ' \n', 'PATH\n', 'RXPI_CALL_\n', `${mark}=\n`])(
    'ends no process for the mark %j',
    async (line) => {
      const marker = path.join(folder, 'asked')
      writeFileSync(path.join(folder, 'grep'), `#!/bin/sh\necho asked >> ${marker}\n`)
      chmodSync(path.join(folder, 'grep'), 0o755)
      const env = { PATH: `${folder}:/usr/bin:/bin` }
      await runProgram(line, env)
      expect(existsSync(marker)).toBe(false)
      await runProgram(`${mark}\n`, env)
      expect(existsSync(marker)).toBe(true)
      rmSync(marker)
    },
  )
})
