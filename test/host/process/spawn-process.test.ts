// Tests child processes: output, exit, and how they are ended.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { firstValueFrom, lastValueFrom, Subject, throwError, timer, toArray } from 'rxjs'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import type { ProcessEvent } from '../../../lib/host/process/process-event.ts'
import { spawnProcess } from '../../../lib/host/process/spawn-process.ts'
import type { SpawnOptions } from '../../../lib/host/process/spawn-process.ts'
import { endAll, processesWith, statusOf, uniqueSeconds, until } from './processes-with.ts'
import { isFull } from '../../support/sample-size.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-spawn-'))
const env = { PATH: process.env['PATH'] ?? '' }
/** Shell: waits until the background child has become `sleep`. */
const untilSleeping = 'until [ "$(</proc/$!/comm)" = sleep ]; do sleep 0.01; done'
let seconds: string

beforeEach(() => {
  seconds = uniqueSeconds()
})
afterEach(async () => {
  vi.useRealTimers()
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  const left = processesWith(seconds)
  endAll(seconds)
  expect(left).toEqual([])
  expect(countLiveCalls()).toBe(0)
})
afterAll(() => rmSync(folder, { recursive: true }))

function shell(script: string, more: Partial<SpawnOptions> = {}) {
  return spawnProcess({ program: '/bin/bash', args: ['-c', script], cwd: folder, env, ...more })
}

async function run(script: string, more: Partial<SpawnOptions> = {}) {
  const events = await lastValueFrom(shell(script, more).pipe(toArray()), { defaultValue: [] })
  const text = (stream: string) =>
    events.flatMap((event) => (event.type === 'output' && event.stream === stream ? [event.text] : [])).join('')
  const end = events.at(-1)
  if (end?.type !== 'end') throw new Error('no end')
  return { events, end, stdout: text('stdout'), stderr: text('stderr') }
}

describe('spawnProcess', () => {
  it('starts nothing before it is subscribed', async () => {
    const file = path.join(folder, 'touched')
    const process$ = shell(`touch ${file}`)
    expect(countLiveCalls()).toBe(0)
    await delay(20)
    expect(existsSync(file)).toBe(false)
    await lastValueFrom(process$, { defaultValue: undefined })
    expect(existsSync(file)).toBe(true)
  })

  it('emits both outputs and the exit code, then completes', async () => {
    const { stdout, stderr, end } = await run('echo out; echo err >&2; exit 3')
    expect({ stdout, stderr }).toEqual({ stdout: 'out\n', stderr: 'err\n' })
    expect(end).toEqual({ type: 'end', exitCode: 3, signal: null, cutShort: false, leftBehind: [], survivors: [] })
  })

  it('opens standard input if it is wanted, and closes it otherwise', async () => {
    const written = await run('echo "got $(cat)"', { onStart: ({ stdin }) => stdin.end('input') })
    expect(written.stdout).toBe('got input\n')
    expect((await run('echo "got $(cat)"')).stdout).toBe('got \n')
    const unread = await run('exit 0', { onStart: ({ stdin }) => stdin.write('x'.repeat(2 ** 20)) })
    expect(unread.end.exitCode).toBe(0)
  })

  it('names the signal that ended the program', async () => {
    expect((await run('kill -SEGV $$')).end).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
  })

  it('closes standard input', async () => {
    expect((await run('read -r line || echo nothing to read')).stdout).toBe('nothing to read\n')
  })

  it('passes the requested environment and adds only its mark', async () => {
    const { stdout } = await run('/usr/bin/env', { env: { ...env, GREETING: 'hello' } })
    const names = stdout.split('\n').flatMap((line) => line.split('=', 1)[0] || [])
    const ours = names.filter((name) => !['_', 'SHLVL', 'PWD'].includes(name))
    expect(ours).toEqual(expect.arrayContaining(['PATH', 'GREETING']))
    expect(ours.filter((name) => !['PATH', 'GREETING'].includes(name))).toEqual([
      expect.stringMatching(/^RXPI_CALL_[0-9a-f]{32}_\d+$/),
    ])
  })

  it('splits no character between two pieces', async () => {
    const { events, stdout } = await run(String.raw`printf 'a\xf0\x9f'; sleep 0.05; printf '\x98\x80b'`)
    expect(stdout).toBe('a😀b')
    for (const event of events) if (event.type === 'output') expect(event.text.isWellFormed()).toBe(true)
  })

  it('replaces bytes that are not UTF-8, also an incomplete character at the end', async () => {
    expect((await run(String.raw`printf 'a\xffb\xe2\x82'`)).stdout).toBe('a\u{FFFD}b\u{FFFD}')
  })

  it.each([
    ['a program that is not there', { program: '/nowhere/program' }, 'bad_request', '/nowhere/program'],
    ['a folder that is not there', { cwd: '/nowhere' }, 'bad_request', 'working folder /nowhere does not exist'],
    ['a NUL in an argument', { args: ['-c', 'a\0b'] }, 'bad_request', 'null bytes'],
    ['an argument too long for the system', { args: ['-c', ':'.repeat(200_000)] }, 'bad_request', 'too long'],
  ])('fails with a coded error for %s', async (_, options, code, message) => {
    const error = await lastValueFrom(shell('', options), { defaultValue: undefined }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ name: 'Failure', code, message: expect.stringContaining(message) as string })
  })

  describe('if the program has ended and processes are left', () => {
    it('accepts output of a background child for which it waited less than 100 ms', async () => {
      const go = path.join(folder, `go-${seconds}`)
      const texts: string[] = []
      let end: ProcessEvent | undefined
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }) // the timers of RxJS
      shell(`(until [ -e ${go} ]; do sleep 0.01; done; echo late) & echo $$`).subscribe((event) => {
        if (event.type === 'output') texts.push(event.text)
        else end = event
      })
      await until(() => texts.length === 1 && statusOf(Number(texts[0])) === undefined)
      vi.advanceTimersByTime(99)
      writeFileSync(go, '')
      await until(() => texts.length === 2 && processesWith(go).length === 0)
      await until(() => {
        vi.advanceTimersByTime(10)
        return end !== undefined
      })
      expect(texts[1]).toBe('late\n')
      expect(end).toMatchObject({ type: 'end', exitCode: 0, leftBehind: [] })
    })

    it('does not wait for a child that holds the pipe open, and ends it', async () => {
      const { stdout, end } = await run(`sleep ${seconds} & ${untilSleeping}; echo started`)
      expect(stdout).toBe('started\n')
      expect(end).toMatchObject({ exitCode: 0, leftBehind: [{ name: 'sleep' }] })
      expect(processesWith(seconds)).toEqual([])
    })

    it('ends a child that floods the pipe', async () => {
      const { end } = await run(`while :; do echo ${seconds}; done & exit 0`)
      expect(end.leftBehind.length).toBeGreaterThan(0)
    })

    it('reads at most 1 MiB of a flood in 10 ms, so that other work continues', async () => {
      const started = performance.now()
      const { events } = await run('yes', { endWhen$: timer(300) })
      const slots = Math.ceil((performance.now() - started) / 10) + 1
      const bytes = events.reduce((sum, event) => sum + (event.type === 'output' ? event.text.length : 0), 0)
      expect(bytes).toBeLessThan(slots * (2 ** 20 + 2 ** 17)) // the last piece of a slot may exceed its end
    })

    it('ends a child that called setsid and closed its outputs', async () => {
      const { end } = await run(`setsid sleep ${seconds} >/dev/null 2>&1 & ${untilSleeping}`)
      expect(end.leftBehind).toMatchObject([{ name: 'sleep' }])
      expect(processesWith(seconds)).toEqual([])
    })

    it.runIf(isFull)('ends a child that ignores SIGTERM', async () => {
      const { end } = await run(`(trap '' TERM; sleep ${seconds}; sleep ${seconds}) & echo started`)
      expect(end.leftBehind.length).toBeGreaterThan(0)
      expect(processesWith(seconds)).toEqual([])
    })
  })

  describe('if it is unsubscribed', () => {
    async function startAndUnsubscribe(script: string): Promise<ProcessEvent[]> {
      const events: ProcessEvent[] = []
      const firstOutput$ = new Subject<void>()
      const subscription = shell(script).subscribe((event) => {
        events.push(event)
        firstOutput$.next()
      })
      await firstValueFrom(firstOutput$, { defaultValue: undefined })
      await until(() => processesWith(seconds).length > 0)
      subscription.unsubscribe()
      return events
    }

    it('ends a program that handles SIGTERM at once [LOOP-24g]', async () => {
      await startAndUnsubscribe(`echo ready; sleep ${seconds}`)
      await until(() => countLiveCalls() === 0, 10_000)
    })

    it('ends a program that ignores SIGTERM after 2 s, with its descendants [LOOP-24g]', async () => {
      await startAndUnsubscribe(`trap '' TERM; echo ready; sleep ${seconds} & sleep ${seconds}; sleep ${seconds}`)
      await until(() => countLiveCalls() === 0, 10_000)
    })

    it('ends a program that called setsid', async () => {
      await startAndUnsubscribe(`setsid sleep ${seconds} & echo ready; wait`)
      await until(() => countLiveCalls() === 0, 10_000)
    })

    it('ends a program that called setsid in a changed environment, if it descends from the call', async () => {
      // ready when all exist: a process that forks during the end of the call can lose its parents before it is found
      await startAndUnsubscribe(`env -i setsid /bin/sh -c 'sleep ${seconds} & echo ready; wait'; :`)
      await until(() => countLiveCalls() === 0, 10_000)
    })

    it('emits nothing more, and lets the program clean up', async () => {
      const file = path.join(folder, 'tidied')
      const script = `trap 'echo tidying; sleep 0.1; echo tidied; touch ${file}; exit' TERM; echo ready; sleep ${seconds} & wait`
      const events = await startAndUnsubscribe(script)
      await until(() => countLiveCalls() === 0, 10_000)
      expect(events).toMatchObject([{ type: 'output', text: 'ready\n' }])
      expect((await run(`ls ${file}`)).end.exitCode).toBe(0)
    })
  })

  describe('with endWhen$', () => {
    it('ends the processes, emits their last output, and reports that they were cut short', async () => {
      const endWhen$ = new Subject<void>()
      const events: ProcessEvent[] = []
      const script = `trap 'echo bye; exit 7' TERM; echo ready; sleep ${seconds} & wait`
      await new Promise<void>((resolve) => {
        shell(script, { endWhen$ }).subscribe({
          next: (event) => {
            events.push(event)
            if (event.type === 'output' && event.text === 'ready\n') endWhen$.next()
          },
          complete: resolve,
        })
      })
      expect(events.slice(1)).toEqual([
        { type: 'output', stream: 'stdout', text: 'bye\n' },
        { type: 'end', exitCode: 7, signal: null, cutShort: true, leftBehind: [], survivors: [] },
      ])
    })

    it('unsubscribes it when the program has ended by itself', async () => {
      const endWhen$ = new Subject<void>()
      await run('echo done', { endWhen$ })
      expect(endWhen$.observed).toBe(false)
    })

    it('fails with its error and ends the processes', async () => {
      const failing$ = throwError(() => new Error('the clock broke'))
      await expect(run(`sleep ${seconds}`, { endWhen$: failing$ })).rejects.toThrow('the clock broke')
    })
  })
})
