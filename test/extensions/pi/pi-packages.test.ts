// Checks what published packages of pi use: endpoints, keys, names that are taken, folders of skills, models.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom } from 'rxjs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSession } from '../../../lib/index.ts'
import type { Session } from '../../../lib/index.ts'
import { scripted, scriptedModel } from '../../../lib/testing/index.ts'
import { piModules } from '../../../lib/extensions/pi/modules/pi-modules.ts'
import { piExtension } from '../../../lib/extensions/pi/pi-extension.ts'

type Pi = Record<string, (...args: unknown[]) => unknown>

/** A call of a name that has to be there. */
function call(of: Pi | undefined, name: string, ...args: unknown[]): unknown {
  if (of?.[name] === undefined) throw new Error(`${name} is missing`)
  return of[name](...args)
}
type Context = Record<string, Record<string, (...args: unknown[]) => unknown>>

interface Opened {
  readonly session: Session
  readonly shown: string[]
  /** Runs in a command of the module. */
  inCommand<Value>(act: (context: Context) => Value): Promise<Awaited<Value>>
}

const absent = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('no package'), { code: 'ERR_MODULE_NOT_FOUND' }))

function open(module: (pi: Pi) => void, others: ((pi: Pi) => void)[] = [], link = {}): Opened {
  let act: (context: Context) => unknown = () => undefined
  let result: unknown
  const own = (pi: Pi): void => {
    module(pi)
    pi['registerCommand']?.('act', {
      handler: async (_args: string, context: Context) => {
        result = await act(context)
      },
    })
  }
  const session = createSession({
    cwd: import.meta.dirname,
    model: { model: scriptedModel, provider: scripted([{ text: 'An answer.' }]) },
    approve: 'auto',
    extensions: [own, ...others].map((each, index) =>
      piExtension(each, { name: `own${index}`, path: `/own${index}.ts`, link: index === 0 ? link : {} }),
    ),
  })
  onTestFinished(() => firstValueFrom(session.close(), { defaultValue: undefined }))
  const shown: string[] = []
  session.events().subscribe((event) => {
    if (event.type === 'warning' || event.type === 'error') shown.push(event.message)
  })
  return {
    session,
    shown,
    inCommand: async (work) => {
      act = work
      await firstValueFrom(session.send({ type: 'prompt', text: '/act' }), { defaultValue: undefined })
      return result as never
    },
  }
}

const endpoint = {
  name: 'Acme',
  baseUrl: 'http://127.0.0.1:9/v1',
  api: 'openai-completions',
  apiKey: 'a-key',
  models: [
    { id: 'fast', name: 'Fast', reasoning: false, input: ['text'], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }, contextWindow: 1000, maxTokens: 100, ofTheModule: true }, // prettier-ignore
    { id: 'far', baseUrl: 'http://127.0.0.1:10/v1', reasoning: false, input: ['text'], contextWindow: 1000 },
  ],
}

test('an endpoint without a stream of its own offers its models until it is taken back', async () => {
  const { session, shown, inCommand } = open((pi) => {
    pi['registerProvider']?.('acme', endpoint)
    pi['registerProvider']?.('acme', endpoint)
    pi['registerProvider']?.('later', { ...endpoint, models: [] })
    pi['registerProvider']?.('openai', endpoint)
    pi['registerCommand']?.('end', { handler: () => pi['unregisterProvider']?.('acme') })
  })
  const model = { type: 'set_model', model: 'acme/fast' } as const
  expect(await firstValueFrom(session.send(model), { defaultValue: undefined })).toBeDefined()
  const names = (context: Context) =>
    (call(context['modelRegistry'], 'getAvailable') as { id: string; maxTokens: number }[]).map(({ id, maxTokens }) => [id, maxTokens]) // prettier-ignore
  expect(await inCommand(names)).toContainEqual(['fast', 100])
  expect(shown.filter((text) => text.includes("models of pi.registerProvider('acme')"))).toHaveLength(1)
  expect(shown.join('\n')).toContain(
    "pi.registerProvider('openai') of pi differs in rxpi: The extension own0 cannot offer",
  )
  await firstValueFrom(session.send({ type: 'prompt', text: '/end' }), { defaultValue: undefined })
  await expect(firstValueFrom(session.send(model), { defaultValue: undefined })).rejects.toThrow('acme')
})

test('a shortcut is a key of the UI, whatever its character, and a name that is taken ends no module', async () => {
  const shortcut = { description: 'Opens', handler: () => undefined }
  const { session, shown, inCommand } = open(
    (pi) => {
      pi['registerShortcut']?.('alt+/', shortcut)
      pi['registerShortcut']?.('ctrl+shift+f', shortcut)
      pi['registerCommand']?.('same', { handler: () => undefined })
      pi['registerCommand']?.('no name', { handler: () => undefined })
    },
    [
      (pi) => {
        pi['registerCommand']?.('same', { handler: () => undefined })
        pi['registerShortcut']?.('alt+/', shortcut)
        pi['registerCommand']?.('still', { handler: () => undefined })
      },
    ],
  )
  await inCommand(() => undefined)
  const keys = session.extensionUi?.().keys.map(({ key, command }) => [key, command])
  expect(keys).toEqual([
    ['alt+/', 'key:alt-u2f'],
    ['ctrl+shift+f', 'key:ctrl-shift-f'],
  ])
  const reported = shown.filter((text) => text.includes('it is not there')).map((text) => text.split(' of pi')[0])
  expect(reported).toEqual(["pi.registerCommand('no name')", "pi.registerCommand('same')", "pi.registerCommand('key:alt-u2f')"]) // prettier-ignore
  const { status } = await firstValueFrom(session.send({ type: 'prompt', text: '/still' }), { defaultValue: { status: 'none' } }) // prettier-ignore
  expect(status).toBe('handled')
})

test('a tool that comes before the first request is in it; a later one is called through use_tool', async () => {
  const tool = (name: string) => ({
    name,
    description: name,
    parameters: { type: 'object', properties: {} },
    execute: () => ({}),
  })
  const { session, shown } = open((pi) => {
    pi['on']?.('session_start', () => pi['registerTool']?.(tool('early')))
    pi['on']?.('agent_settled', () => pi['registerTool']?.(tool('late')))
  })
  await vi.waitFor(() => expect(session.state$.value.activeTools).toContain('early'), 10_000)
  expect(shown).toEqual([])
  await firstValueFrom(session.send({ type: 'prompt', text: 'Hello' }), { defaultValue: undefined })
  await vi.waitFor(
    () => expect(shown).toEqual([expect.stringContaining('pi.registerTool behind the first request')]),
    10_000,
  )
})

test('a folder of resources_discover brings its skills and templates', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-skills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'skills/deep/one'), { recursive: true })
  writeFileSync(path.join(folder, 'skills/deep/one/SKILL.md'), '---\nname: one\ndescription: First\n---\nDo one.')
  writeFileSync(path.join(folder, 'skills/deep/one/notes.md'), 'no skill')
  writeFileSync(path.join(folder, 'skills/two.md'), '---\nname: two\ndescription: Second\n---\nDo two.')
  mkdirSync(path.join(folder, 'prompts'))
  writeFileSync(path.join(folder, 'prompts/greet.md'), 'Hello $ARGUMENTS')
  const { session, shown } = open((pi) => {
    pi['on']?.('resources_discover', () => ({ skillPaths: [path.join(folder, 'skills')], promptPaths: [path.join(folder, 'prompts'), path.join(folder, 'missing.md')] })) // prettier-ignore
  })
  await vi.waitFor(() => expect(shown).toEqual([expect.stringContaining('missing.md cannot be read')]), 10_000)
  const invoke = async (text: string) =>
    (await firstValueFrom(session.send({ type: 'prompt', text }), { defaultValue: { status: 'none' } })).status
  expect(await invoke('/skill:one')).toBe('started')
  expect(session.state$.value.entries.values().next().value?.message).toMatchObject({
    content: expect.stringContaining('Do one.') as string,
  })
  await vi.waitFor(() => expect(session.state$.value.running).toBeUndefined(), { timeout: 10_000 })
  expect(await invoke('/greet $& and $@')).toBe('started')
  const prompts = [...session.state$.value.entries.values()].filter(({ message }) => message.role === 'user')
  expect(prompts.at(-1)?.message).toMatchObject({ content: 'Hello $& and $@' })
})

test('pi-ai asks the model of the session with the keys of rxpi', async () => {
  const link = {}
  const modules = await piModules({ variables: {}, link }, absent)
  const ai = modules['@mariozechner/pi-ai'] as Pi
  const request = { messages: [{ role: 'user', content: 'Hello', timestamp: 0 }] }
  await expect(ai['complete']?.({}, request)).rejects.toThrow('there is no session yet')
  const { inCommand, shown } = open(() => undefined, [], link)
  const answers = await inCommand(async (context) => {
    const model = context['model']
    const { apiKey } = (await call(context['modelRegistry'], 'getApiKeyAndHeaders', model)) as { apiKey: string }
    const whole = (await call(ai, 'complete', model, request, { apiKey })) as { content: { text: string }[] }
    const types: string[] = []
    for await (const { type } of call(ai, 'streamSimple', { provider: 'none', id: 'x' }, request) as AsyncIterable<{ type: string }>) types.push(type) // prettier-ignore
    return [whole.content[0]?.text, types]
  })
  expect(answers).toEqual(['An answer.', ['start', 'error']])
  expect(shown.some((text) => text.includes('getApiKeyAndHeaders of pi differs'))).toBe(true)
})

test('names of folders, languages and entries are there', async () => {
  const modules = await piModules({ variables: {}, link: {} }, absent)
  const agent = modules['@earendil-works/pi-coding-agent'] as Pi
  expect(agent['getPackageDir']?.()).toContain('@earendil-works/pi-coding-agent')
  expect(['a.tsx', 'Dockerfile', 'a.b.py', 'a.none'].map((file) => agent['getLanguageFromPath']?.(file))).toEqual(['typescript', 'dockerfile', 'python', undefined]) // prettier-ignore
  const entries = [
    { id: 'a', parentId: null, type: 'message', message: { role: 'user' } },
    { id: 'b', parentId: 'a', type: 'custom_message', customType: 'own', content: 'x', timestamp: '1970-01-01T00:00:01Z' }, // prettier-ignore
    { id: 'c', parentId: 'a', type: 'message', message: { role: 'assistant' } },
  ]
  expect(agent['buildSessionContext']?.(entries, 'b')).toMatchObject({
    messages: [{ role: 'user' }, { role: 'custom', customType: 'own', timestamp: 1000 }],
  })
  expect(agent['buildContextEntries']?.(entries)).toEqual([entries[0], entries[2]])
})

test.each([
  ['$ACME_KEY', 'of-the-session'],
  ['${ACME_KEY}', 'of-the-session'],
  ['$RXPI_TEST_SERVER_KEY', undefined],
  ['a-key', 'a-key'],
])('the key %s of a provider with a stream of its own is that of the session', async (apiKey, sent) => {
  vi.stubEnv('ACME_KEY', 'of-the-server')
  vi.stubEnv('RXPI_TEST_SERVER_KEY', 'of-the-server')
  onTestFinished(() => void vi.unstubAllEnvs())
  const keys: unknown[] = []
  async function* streamSimple(_model: unknown, _context: unknown, options: { apiKey?: string }) {
    keys.push(options.apiKey)
    yield await Promise.resolve({ type: 'error', error: { errorMessage: 'no answer' } })
  }
  const module = (pi: Pi): void => void pi['registerProvider']?.('acme', { ...endpoint, apiKey, streamSimple })
  const variables = { ACME_KEY: 'of-the-session' }
  const session = createSession({
    ...{ cwd: import.meta.dirname, model: 'acme/fast', retry: { attempts: 1 } },
    extensions: [piExtension(module, { name: 'own', path: '/own.ts', variables })],
  })
  onTestFinished(() => firstValueFrom(session.close(), { defaultValue: undefined }))
  const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), { defaultValue: undefined }) // prettier-ignore
  await firstValueFrom(session.send({ type: 'prompt', text: 'Hi' }), { defaultValue: undefined })
  await settled
  expect(keys).toEqual([sent])
})
