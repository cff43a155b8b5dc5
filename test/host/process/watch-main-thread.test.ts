// Tests that the guardian ends a process whose main thread is stuck, and no other.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { WatchOptions } from '../../../lib/host/process/watch-main-thread.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { guardianOf, processesWith, statusOf, until } from './processes-with.ts'
import { isFull, sampleRows } from '../../support/sample-size.ts'

/** For what is ended. */
const short = { busyCpuMs: 150, lateCpuMs: 150, checkMs: 50, beatMs: 40, startMs: 20 }
/** For what is spared: a busy machine may start the guardian's shells late. */
const times = { ...short, busyCpuMs: 400, lateCpuMs: 400 }
const started: ChildProcess[] = []

afterAll(async () => {
  for (const child of started.splice(0)) {
    const running = child.exitCode === null && child.signalCode === null
    child.kill('SIGKILL')
    if (running) await once(child, 'exit')
  }
})

interface Watched {
  readonly child: ChildProcess
  /** Resolves when the process and all its outputs are closed. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly output: string }>
}

/** Starts a watched process and waits until its activity begins. */
async function watched(activity: string, options: WatchOptions = { times }): Promise<Watched> {
  const script = path.join(import.meta.dirname, 'fixtures/watched.ts')
  const child = spawn(process.execPath, [script, activity, JSON.stringify(options)], {
    env: withCompileCache(),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, output }))
  await once(child.stdout, 'data')
  return { child, ended }
}

// the activities mostly wait, so they run side by side
describe.concurrent('watchMainThread', () => {
  it.each(isFull ? ['loop', 'pattern', 'microtasks'] : ['loop'])(
    'ends a process that is held by a %s, and says so [S27d]',
    async (activity) => {
      const { child, ended } = await watched(activity, { times: short })
      child.kill('SIGTERM')
      const message = `rxpi: process ${child.pid} was ended: it computed for 0.15 s and answered nothing`
      expect(await ended).toEqual({ code: null, signal: 'SIGKILL', output: `ready\n${message}\n` })
    },
  )

  it('ends a process that computes on after its time-out [S27e]', async () => {
    const { child, ended } = await watched('loop', { timeoutMs: 300, times: { ...short, busyCpuMs: 60_000 } })
    const message = `rxpi: process ${child.pid} was ended: it computed on after its time-out`
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL', output: `ready\n${message}\n` })
  })

  it('spares a process that notices its time-out, and computes on for longer than `lateCpuMs` [S27f]', async () => {
    const { ended } = await watched('slices', { timeoutMs: 100, times: { ...times, busyCpuMs: 60_000 } })
    expect(await ended).toMatchObject({ code: 0, output: 'ready\ndone\n' })
  })

  const spared = [
    ['slices', 60_000], // before its time-out it computes for longer than `lateCpuMs`
    ['blocked', undefined],
    ['unwatched', undefined],
  ] as const
  it.each(sampleRows(spared, 1))(
    'spares a process with the activity %s and the time-out %s [S27f]',
    async (activity, timeoutMs) => {
      expect(await (await watched(activity, { timeoutMs, times })).ended).toMatchObject({
        code: 0,
        output: 'ready\ndone\n',
      })
    },
  )

  it('spares a process that was stopped for longer [S27f]', async () => {
    const { child, ended } = await watched('slices', { timeoutMs: 400, times })
    child.kill('SIGSTOP')
    await delay(700)
    child.kill('SIGCONT')
    expect(await ended).toMatchObject({ code: 0, output: 'ready\ndone\n' })
  })

  it('spares a process whose guardian was killed', async () => {
    const { child, ended } = await watched('nothing')
    const guardian = await guardianOf(child.pid)
    process.kill(guardian, 'SIGKILL')
    await until(() => !processesWith('RXPI_CALL_').includes(guardian))
    child.stdin?.end()
    expect(await ended).toMatchObject({ code: 0, output: 'ready\ndone\n' })
  })

  it('leaves no process behind, and does not keep its own alive', async () => {
    const { child, ended } = await watched('nothing')
    const guardian = await guardianOf(child.pid)
    child.stdin?.end()
    expect(await ended).toMatchObject({ code: 0 })
    await until(() => processesOfSession(guardian).length === 0)
  })
})

function processesOfSession(session: number): readonly number[] {
  return processesWith('').filter((pid) => statusOf(pid)?.session === session)
}
