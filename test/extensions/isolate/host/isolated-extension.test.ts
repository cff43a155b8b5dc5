// Tests an extension in a worker thread: what crosses the border, and what is refused by name.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, lastValueFrom, merge, of, toArray } from 'rxjs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { extensionTransforms } from '../../../../lib/session/extensions/extension-transforms.ts'
import { extensionHooks } from '../../../../lib/session/extensions/run-extension-hooks.ts'
import type { AgentContext } from '../../../../lib/streams/ports/agent-context.ts'
import type { ToolCallHookInput } from '../../../../lib/streams/ports/hooks.ts'
import { textResult } from '../../../../lib/streams/ports/tool.ts'
import {
  callTool,
  closeIsolated,
  openIsolated,
  prepareIsolated,
  resultOf,
  runCommand,
  toolOf,
  warningsOf,
} from '../isolated-session.ts'
import type { IsolatedSession } from '../isolated-session.ts'

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

async function open(setup: string, settings?: Record<string, unknown>): Promise<IsolatedSession> {
  session = await openIsolated({ folder, setup, ...(settings && { settings }) })
  return session
}

const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const bash = { name: 'bash', description: '', parameters: { type: 'object' }, execute: () => textResult('') }
const hookInput = {
  call: { type: 'toolCall', id: 'c', name: 'bash', arguments: {} },
  tool: bash,
  args: { command: 'md5sum' },
} as unknown as ToolCallHookInput

describe('an isolated extension', () => {
  it('runs in another thread, with its own environment and the classes of that thread', async () => {
    const opened = await open(`api.tools.register(tool(async ({ n }, { cwd }) => text([
      require('node:worker_threads').isMainThread, process.env.VISIBLE, process.env.HOME, n, of(1) instanceof Observable,
      cwd, Object.keys(require('node:worker_threads').workerData ?? {}).length])))`)
    expect(warningsOf(opened)).toEqual([])
    expect(await resultOf(opened, { n: 3 })).toBe('false,yes,,3,true,/,12')
  })

  it('registers skills and templates', async () => {
    const { set } = await open(`api.skills.register(${JSON.stringify(folder)})
      const gone = api.templates.register(${JSON.stringify(folder)})
      gone.unregister()`)
    expect(set.contributions.skills.entries.map(({ value }) => value)).toEqual([folder])
    expect(set.contributions.templates.entries).toEqual([])
  })

  it('passes progress in order, and the result of a generator', async () => {
    const opened = await open(`api.tools.register(tool(async function* () {
      for (const content of ['a', 'bc']) yield { type: 'progress', updateType: 'stdout', content }
      return text('end') }))`)
    expect(await lastValueFrom(callTool(opened).pipe(toArray()))).toEqual([
      { type: 'progress', updateType: 'stdout', content: 'a', offset: 0 },
      { type: 'progress', updateType: 'stdout', content: 'bc', offset: 1 },
      textResult('end'),
    ])
  })

  it('decides about calls, and changes results and contexts', async () => {
    const opened = await open(`
      api.hooks.on('tool_call', async ({ tool, args }) => tool.name === 'bash' && 'execute' in tool === false
        ? { args: { ...args, marked: true } } : undefined)
      api.policy.tighten(({ args }) => of({ ask: { reason: 'really ' + args.marked } }))
      api.hooks.on('tool_result', ({ result }) => text(result.content[0].text + '!'))
      api.hooks.on('context', (context) => ({ ...context, messages: context.messages.slice(1) }))`)
    const hooks = extensionHooks(opened.set)
    expect(await lastValueFrom(hooks.beforeToolCall?.(hookInput) as Observable<unknown>)).toEqual({
      args: { command: 'md5sum', marked: true },
      ask: { reason: 'really true' },
    })
    const input = { ...hookInput, result: textResult('done') }
    expect(await lastValueFrom(hooks.afterToolCall?.(input) as Observable<unknown>)).toEqual(textResult('done!'))
    const context = { system: '', messages: [{ role: 'user', content: '1' }, { role: 'user', content: '2' }], tools: [bash], model: { id: 'm' } } as unknown as AgentContext // prettier-ignore
    const after = await lastValueFrom(of(context).pipe(extensionTransforms(opened.set)))
    expect(after.messages).toEqual([{ role: 'user', content: '2' }])
    expect(after.tools[0]).toBe(bash) // with its methods
  })

  it('asks, notifies, runs programs, sends commands and reads its settings', async () => {
    const opened = await open(
      `api.commands.register(command(async (args) => {
         api.ui.notify('a notice'); api.ui.status('busy'); api.session.note('a note')
         const value = async (input$) => { let last; await input$.forEach((each) => { last = each }); return last }
         const answer = await value(api.ui.ask({ kind: 'confirm', text: 'Sure?' }))
         const { stdout } = await value(api.exec('echo', ['out']))
         const sent = await value(api.session.send({ type: 'abort' }))
         return [args, answer.outcome, stdout.trim(), sent.ok, api.config$.value.word, api.session.id, api.tools.active().length].join(' ')
       }))`,
      { probe: { word: 'set' } },
    )
    expect(await runCommand(opened, 'args')).toBe('args true out true set s 0')
    expect(opened.requests).toEqual([
      { kind: 'notify', text: 'a notice', source: 'probe' },
      { kind: 'confirm', text: 'Sure?', source: 'probe' },
      { type: 'abort' },
    ])
    expect(opened.events.find(({ type }) => type === 'status')).toMatchObject({ message: 'busy' })
  })

  it('is refused by name what has to be in the thread of the session', async () => {
    const opened = await open(`
      const attempts = {
        transform: () => api.context.transform((context$) => context$), derive: () => api.events.derive(() => of()),
        events: () => api.events.event$, rule: () => api.stopRules.add({}), model: () => api.models.register({}),
        state: () => api.session.state(), all: () => api.tools.all(), later: () => api.somethingNew(),
        locks: () => api.tools.register(tool(() => text(''), { locks: () => ({}) })),
        capability: () => api.tools.register(tool(() => text(''), { capability: 'http' })),
        hook: () => api.hooks.on('nothing', () => undefined) }
      const results = Object.values(attempts).map((attempt) => { try { attempt(); return 'allowed' } catch (error) { return error.code + ' ' + error.message } })
      api.commands.register(command(() => results.join('\\n')))`)
    const lines = String(await runCommand(opened)).split('\n')
    const names = ['context.transform', 'events.derive', 'events.event$', 'stopRules.add', 'models.register', 'session.state', 'tools.all', 'somethingNew'] // prettier-ignore
    expect(lines.slice(0, 8)).toEqual(
      names.map((name) => expect.stringContaining(`bad_request The extension probe is isolated and cannot use ${name}:`) as unknown), // prettier-ignore
    )
    expect(lines.slice(8)).toEqual([
      expect.stringContaining('The tool probe has `locks`'),
      expect.stringContaining('its manifest does not name the capability http'),
      expect.stringContaining('There is no hook "nothing"'),
    ])
  })

  it('fails with a code if what it answers is no plain data', async () => {
    const opened = await open(`
      api.tools.register(tool(({ how }) => how === 'throw' ? Promise.reject(new TypeError('broken')) : { ...text(''), details: () => 1 }))
      api.hooks.on('tool_call', () => ({ args: { again: () => 1 } }))
      api.hooks.on('tool_call', () => { throw new Error('never called') })`)
    await expect(lastValueFrom(callTool(opened))).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('plain data') as string,
    })
    await expect(lastValueFrom(callTool(opened, { how: 'throw' }))).rejects.toMatchObject({ message: 'broken' })
    const answer$ = extensionHooks(opened.set).beforeToolCall?.(hookInput) as Observable<unknown>
    await expect(lastValueFrom(answer$)).rejects.toMatchObject({ message: expect.stringContaining('The extension probe failed in the hook tool_call') as string }) // prettier-ignore
    expect(opened.set.faults.count('probe')).toBe(1) // a tool that fails is no fault
  })

  it('takes its registrations back, and ends its scope when it is unloaded', async () => {
    const file = path.join(folder, 'ended')
    const opened = await open(`
      const registration = api.tools.register(tool(() => text('')))
      api.commands.register(command(() => { registration.unregister(); registration.unregister(); return 'gone' }))
      api.hooks.on('shutdown', ({ reason }) => require('node:fs').appendFileSync(${JSON.stringify(file)}, reason + ' '))
      api.scope.onEnd(() => require('node:fs').appendFileSync(${JSON.stringify(file)}, 'ended'))`)
    expect(toolOf(opened).name).toBe('probe')
    expect(await runCommand(opened)).toBe('gone')
    expect(opened.set.contributions.tools.entries).toEqual([])
    await lastValueFrom(opened.set.unload('probe').pipe(toArray()))
    expect(opened.set.contributions.commands.entries).toEqual([])
    await expect.poll(() => readIfThere(file), { timeout: 10_000 }).toBe('unload ended')
  })

  it('of the same new content is loaded by one thread first, which stores the compiled code', async () => {
    const [file, code] = [path.join(folder, 'loads'), { folder: path.join(folder, 'codes'), digest: 'sha256:probe' }]
    const note = (word: string): string => `require('node:fs').appendFileSync(${JSON.stringify(file)}, '${word} ')`
    const top = `${note('begin')}; await new Promise((done) => setTimeout(done, 50)); ${note('end')}`
    const sessions = [1, 2, 3].map(() => prepareIsolated({ folder, setup: '', top, code }))
    await lastValueFrom(merge(...sessions.map(({ loaded$ }) => loaded$)).pipe(toArray()))
    expect(readIfThere(file)).toMatch(/^begin end (?=begin)/)
    expect(readdirSync(code.folder)).toHaveLength(1)
    for (const each of sessions) await closeIsolated(each)
  })
})
