// Tests what an extension does to its session: loads it anew, lets clients leave, asks a model, reads its events.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { firstValueFrom, lastValueFrom, of, toArray } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import type { ExtensionApi } from '../../../lib/extensions/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { memoryStore } from '../../../lib/store/index.ts'
import { custom } from '../../../lib/streams/events/custom-event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Capability } from '../../../lib/streams/ports/tool.ts'

const opened: Session[] = []
afterEach(() => {
  for (const session of opened.splice(0)) session.close().subscribe()
})

type Script = Parameters<typeof scripted>[0]

function open(setup: (api: ExtensionApi) => void, script: Script = [], capabilities: readonly Capability[] = ['http']) {
  const provider = scripted(script)
  const session = createSession({
    model: { model: scriptedModel, provider },
    cwd: import.meta.dirname,
    env: {},
    settings: { tools: [] },
    store,
    extensions: [{ name: 'probe', version: '1.0.0', capabilities, setup }],
  })
  opened.push(session)
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  return { session, events, provider }
}
const store = memoryStore()

const leave = (own: ExtensionApi['session']): undefined => {
  own.requestLeave()
  return undefined
}
const command = (session: Session, text: string) => lastValueFrom(session.send({ type: 'prompt', text }))

it('loads the extensions anew, also from a command of one of them', async () => {
  let setups = 0
  const starts: string[] = []
  const { session } = open(({ commands, hooks, session: own }) => {
    setups += 1
    hooks.on('session_start', ({ reason }) => void starts.push(reason))
    commands.register({ name: 'again', description: '', run: () => own.reload() })
  })
  expect(await command(session, '/again')).toEqual({ status: 'handled' })
  await vi.waitFor(() => expect(starts).toEqual(['new', 'reload']), { timeout: 10_000 })
  expect(setups).toBe(2)
})

it('loads them anew for a client, which gets their names when all are set up [COMMAND-reload]', async () => {
  let setups = 0
  const { session } = open(() => {
    setups += 1
  })
  expect(await lastValueFrom(session.reload?.() ?? of([]))).toEqual(['probe'])
  expect(setups).toBe(2)
})

it('joins a reload that is on, and refuses one before the session is open', async () => {
  let setups = 0
  let failure: unknown
  const { session } = open(({ commands, session: own }) => {
    setups += 1
    try {
      void own.reload()
    } catch (thrown) {
      failure = thrown
    }
    commands.register({
      name: 'twice',
      description: '',
      run: () => {
        void own.reload()
        void own.reload()
        return 'on it'
      },
    })
  })
  expect(failure).toMatchObject({ code: 'bad_request' })
  await command(session, '/twice')
  await vi.waitFor(() => expect(setups).toBeGreaterThan(1), { timeout: 10_000 })
  expect(setups).toBeLessThan(4)
})

it('says to clients that they may leave', async () => {
  const { session, events } = open(({ commands, session: own }) => {
    commands.register({ name: 'quit', description: '', run: () => leave(own) })
  })
  await command(session, '/quit')
  expect(events).toContainEqual(expect.objectContaining({ type: 'status', code: 'extension_leave' }))
})

it('sets the text of the input, and asks clients to open another session', async () => {
  const { session, events } = open(({ commands, ui, session: own }) => {
    const on = (name: string, act: (text: string) => void): void => {
      const run = (text: string): undefined => {
        act(text)
        return undefined
      }
      commands.register({ name, description: '', run })
    }
    on('set', (text) => {
      ui.editorText(text)
    })
    on('add', (text) => {
      ui.editorText(text, { keepTyped: true })
    })
    on('open', (id) => {
      own.requestOpen(id === '' ? undefined : id)
    })
    on('long', () => {
      ui.editorText('x'.repeat(65_537))
    })
    expect(() => {
      own.requestOpen()
    }).toThrow('not open yet')
  })
  for (const text of ['/set go', '/add on', '/open', '/open abc']) await command(session, text)
  const context = ({ code, context: fields }: { code?: string; context?: object }) => [code, fields]
  expect(events.filter(({ type }) => type === 'status').map((event) => context(event as never))).toEqual([
    ['extension_editor', { extension: 'probe', text: 'go', keepTyped: false }],
    ['extension_editor', { extension: 'probe', text: 'on', keepTyped: true }],
    ['extension_open', { extension: 'probe', session: null }],
    ['extension_open', { extension: 'probe', session: 'abc' }],
  ])
  await expect(command(session, '/long')).rejects.toThrow('at most 65536 characters')
})

const ask = ({ commands, models }: ExtensionApi, answers: unknown[]): void => {
  commands.register({
    name: 'ask',
    description: '',
    run: async (name) => {
      const messages = [{ role: 'user' as const, content: 'Why?', timestamp: 1 }]
      const request = { system: 'Be brief.', messages, ...(name !== '' && { model: name }) }
      answers.push(await firstValueFrom(models.complete(request)))
      return undefined
    },
  })
}

it('asks a model apart from the conversation, and counts what it used', async () => {
  const answers: unknown[] = []
  const { session, events, provider } = open((api) => ask(api, answers), [{ text: 'Because.' }])
  await command(session, '/ask')
  expect(answers).toMatchObject([{ content: [{ type: 'text', text: 'Because.' }], stopReason: 'stop' }])
  expect(provider.requests[0]).toMatchObject({ system: 'Be brief.', tools: [] })
  expect(session.state$.value.entries.size).toBe(0)
  expect(events.filter(({ type }) => type === 'message_end')).toEqual([])
})

it.each<[string, string, readonly Capability[], RegExp]>([
  ['without the capability', '/ask', [], /capability http/],
  ['of an unknown name', '/ask nobody/nothing', ['http'], /nobody/],
])('fails for a model %s', async (_name, text, capabilities, message) => {
  const { session } = open((api) => ask(api, []), [], capabilities)
  await expect(command(session, text)).rejects.toThrow(message)
})

it('reads its custom events back when the session is opened again', async () => {
  const read: unknown[] = []
  const first = open(({ events }) => {
    events.derive(() => [custom('mine', 1), custom('other', 2), custom('mine', 3)])
  })
  expect([...first.session.logged()].filter(({ event }) => event.type === 'custom')).toHaveLength(3)
  await lastValueFrom(first.session.close(), { defaultValue: undefined })
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([]) },
    store,
    sessionId: first.session.id,
    cwd: import.meta.dirname,
    env: {},
    extensions: [
      {
        name: 'probe',
        version: '1.0.0',
        setup: ({ hooks, session: own }) => {
          hooks.on('session_start', async () => {
            const all = await lastValueFrom(own.recorded('mine').pipe(toArray()))
            read.push(...all.map(({ data }) => data))
          })
        },
      },
    ],
  })
  opened.push(session)
  await vi.waitFor(() => expect(read).toEqual([1, 3]), { timeout: 10_000 })
})

it('handles a prompt, for which nothing is sent, and no other input', async () => {
  const { session, events } = open(({ hooks }) => hooks.on('input', () => ({ handled: true as const })))
  expect(await command(session, 'ping')).toEqual({ status: 'handled' })
  expect(await lastValueFrom(session.run('ping'), { defaultValue: 'nothing' })).toBe('nothing')
  await expect(lastValueFrom(session.send({ type: 'steer', text: 'ping' }))).rejects.toThrow(/for prompts alone/)
  expect(events.some(({ type }) => type === 'message_start')).toBe(false)
})
