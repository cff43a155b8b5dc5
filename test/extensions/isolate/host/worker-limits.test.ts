// Tests what ends the worker of an extension: endless loops, memory, crashes, and calls that ignore their abort.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, lastValueFrom, race, throwError, timer, toArray } from 'rxjs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ExtensionApi } from '../../../../lib/extensions/api/extension-api.ts'
import { extensionHooks } from '../../../../lib/session/extensions/run-extension-hooks.ts'
import type { ToolCallHookInput } from '../../../../lib/streams/ports/hooks.ts'
import { Failure } from '../../../../lib/streams/values/failure.ts'
import {
  callTool,
  closeIsolated,
  openIsolated,
  prepareIsolated,
  resultOf,
  runCommand,
  warningsOf,
} from '../isolated-session.ts'
import type { IsolatedSession } from '../isolated-session.ts'
import { isFull, sampleRows } from '../../../support/sample-size.ts'

/** A machine under load starts a worker in seconds. */
const patience = { timeout: 15_000 }

let folder = ''
let session: IsolatedSession | undefined
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-isolate-'))
})
afterEach(async () => {
  if (session !== undefined) await closeIsolated(session)
  session = undefined
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

type Limits = Partial<
  Pick<Parameters<typeof openIsolated>[0], 'graceMs' | 'stillMs' | 'memoryMb' | 'checkFiles$' | 'top' | 'watch'>
>

async function open(setup: string, limits: Limits = {}): Promise<IsolatedSession> {
  session = await openIsolated({ folder, setup, graceMs: 200, ...limits })
  return session
}

const hookInput = { call: {}, tool: { name: 'bash' }, args: {} } as unknown as ToolCallHookInput
const decide = ({ set }: IsolatedSession): Promise<unknown> =>
  lastValueFrom(extensionHooks(set).beforeToolCall?.(hookInput) as Observable<unknown>)

describe('a worker', () => {
  it('that a tool keeps in an endless loop is ended, and a new one answers', async () => {
    const opened = await open(`api.tools.register(tool(({ loop }) => { for (; loop;); return text('answered') }))`)
    const controller = new AbortController()
    const overdue$ = callTool(opened, { loop: true }, { signal: controller.signal })
    setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), 50)
    await expect(lastValueFrom(overdue$)).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(
        /^The worker of the extension probe was ended: a tool went on for 0.2 s/,
      ) as string,
    })
    expect(await resultOf(opened)).toBe('answered')
    expect(opened.set.faults.count('probe')).toBe(1)
    expect(warningsOf(opened).join()).toContain('The extension probe failed in its worker: a tool went on')
  })

  it('that a hook keeps in an endless loop is ended; the call is refused, and the hook decides about the next', async () => {
    const opened = await open(
      `const { existsSync } = require('node:fs')
       api.hooks.on('tool_call', () => { while (!existsSync('${folder}/stop')); return { block: { reason: 'decided' } } }, { limitMs: 1_500 })`,
    )
    await expect(decide(opened)).rejects.toMatchObject({ code: 'timeout' })
    await expect.poll(() => opened.lost.length, patience).toBe(1)
    writeFileSync(path.join(folder, 'stop'), '')
    await expect
      .poll(async () => {
        const answer = await decide(opened).catch((error: unknown) => error)
        expect(answer).toBeDefined() // the gate never stands open, also while the new worker starts
        return answer
      }, patience)
      .toEqual({ block: { reason: 'decided' } })
    rmSync(path.join(folder, 'stop'))
  })

  const fillings = [
    ['its heap', 'const held = []; for (;;) held.push({ a: held.length })'],
    ['its buffers', 'const held = []; for (;;) held.push(Buffer.alloc(1 << 20, 1))'],
  ] as const
  it.each(sampleRows(fillings, 1))('that fills %s is ended with a fault, and a new one answers', async (_, fill) => {
    const opened = await open(`api.tools.register(tool(({ isFilling }) => { if (isFilling) { ${fill} }; return text('answered') }))`, { memoryMb: 64 }) // prettier-ignore
    await expect(lastValueFrom(callTool(opened, { isFilling: true }))).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringMatching(/used \d+ MiB of memory, and may use 64/) as string,
    })
    expect(await resultOf(opened)).toBe('answered')
    expect(warningsOf(opened)).toHaveLength(1)
  })

  it.runIf(isFull)(
    'that a command or a timer keeps in an endless loop is ended, and one that answers is not',
    async () => {
      const opened = await open(
        `api.commands.register(command(() => { if (calls() === 1) for (;;); return 'answered' }))
       const file = '${folder}/calls'; const calls = () => { require('node:fs').appendFileSync(file, '.'); return require('node:fs').statSync(file).size }`,
        { stillMs: 600 },
      )
      await lastValueFrom(timer(1_000))
      expect(opened.lost).toEqual([])
      await expect(runCommand(opened)).rejects.toMatchObject({
        code: 'timeout',
        message: expect.stringContaining('it stood still for 0.6 s') as string,
      })
      expect(await runCommand(opened)).toBe('answered')
      expect(opened.set.faults.count('probe')).toBe(0) // the command of a session reports it
    },
  )

  it('that crashes is replaced and released, and ten times are enough', async () => {
    let [held, released] = [0, 0]
    const watch = (api: ExtensionApi): ExtensionApi => {
      const end$ = new Observable<void>((subscriber) => {
        held += 1
        subscriber.add(() => (released += 1))
        return api.scope.end$.subscribe(subscriber)
      })
      const scope = Object.create(api.scope, { end$: { value: end$ } }) as ExtensionApi['scope']
      return Object.create(api, { scope: { value: scope } }) as ExtensionApi
    }
    const setup = `
      api.commands.register(command(() => 'there'))
      api.tools.register(tool(({ exit }) => { if (exit) process.exit(3); setTimeout(() => { throw new Error('boom') }); return NEVER }))`
    const opened = await open(setup, { watch })
    await expect(lastValueFrom(callTool(opened))).rejects.toMatchObject({ message: expect.stringContaining('nothing in it caught: boom') as string }) // prettier-ignore
    expect(await runCommand(opened)).toBe('there')
    expect([held, released]).toEqual([2, 1])
    for (let each = 1; each < 9; each += 1) opened.set.faults.report('probe', 'a test', new Error('again'))
    await expect(lastValueFrom(callTool(opened, { exit: true }))).rejects.toMatchObject({ message: expect.stringContaining('by itself with code 3') as string }) // prettier-ignore
    expect(opened.events.at(-1)).toEqual({ type: 'extension_state', name: 'probe', state: 'quarantined' })
    expect(opened.set.contributions.commands.entries).toEqual([])
  })

  it('is not started again if its files were changed', async () => {
    const checkFiles$ = throwError(() => new Failure('bad_config', 'its files were changed'))
    const opened = await open(`api.tools.register(tool(() => process.exit()))`, { checkFiles$ })
    await expect(lastValueFrom(callTool(opened))).rejects.toThrow('by itself')
    await expect
      .poll(() => opened.events.at(-1), { timeout: 10_000 })
      .toEqual({ type: 'extension_state', name: 'probe', state: 'failed' })
    expect(warningsOf(opened).at(-1)).toContain('the start of a new worker: its files were changed')
  })
})

describe('an abort', () => {
  it('reaches the signal of a tool, which may still answer', async () => {
    const opened = await open(`api.tools.register(tool((_, { signal }) => new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(text('aborted ' + signal.reason.name))) })))`)
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('', 'AbortError')), 50)
    const result = await lastValueFrom(callTool(opened, {}, { signal: controller.signal }))
    expect(result).toMatchObject({ content: [{ text: 'aborted AbortError' }] })
    expect(opened.lost).toEqual([])
  })

  it('ends what was subscribed, and the worker of a promise that goes on', async () => {
    const file = path.join(folder, 'torn-down')
    const opened = await open(`api.tools.register(tool(({ kind }) => kind === 'stream'
      ? new Observable(() => () => require('node:fs').writeFileSync('${file}', 'torn down'))
      : new Promise(() => undefined)))`)
    const stop = (kind: string) => lastValueFrom(race(callTool(opened, { kind }), timer(50)))
    await stop('stream')
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 10_000 }).toBe('torn down')
    expect(opened.lost).toEqual([])
    await stop('promise')
    await expect.poll(() => opened.lost.length, patience).toBe(1)
  })
})

describe('loading', () => {
  it('ends a worker whose module loops at its top, and names the module', async () => {
    const { set, loaded$ } = prepareIsolated({ folder, setup: '', top: 'for (;;);', loadMs: 400 })
    await expect(lastValueFrom(loaded$)).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(/probe.ts did not load within 0.4 s/) as string,
    })
    expect(set.loaded).toEqual([])
    await expect.poll(threads, patience).toBe(0)
  })
})

describe('unloading', () => {
  it('ends a worker in an endless loop, and leaves no thread', async () => {
    const opened = await open(`api.hooks.on('shutdown', () => { for (;;); })`)
    const before = performance.now()
    await lastValueFrom(opened.set.unload('probe', 'killed').pipe(toArray()))
    expect(performance.now() - before).toBeLessThan(4_000) // a hook has 5 s
    await expect.poll(threads, patience).toBe(0)
  })

  it.runIf(isFull)('ends a worker whose setup does not complete', async () => {
    const opening = prepareIsolated({ folder, setup: 'for (;;);' })
    opening.loaded$.subscribe()
    await expect.poll(() => opening.set.loaded.length, patience).toBe(1)
    await closeIsolated(opening)
    await expect.poll(threads, patience).toBe(0)
  })
})

/** Ports and workers that the process holds. */
function threads(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Worker' || name === 'MessagePort').length
}
