// Tests the threads of AG-UI: what a prompt may hold, who handles it, how many are open and for how long.
import { describe, expect, it } from 'vitest'
import { defineExtension } from '../../../../lib/extensions/index.ts'
import { scripted } from '../../../../lib/providers/offline/scripted.ts'
import { clientsOf, startGateway } from '../gateway-scene.ts'
import { faultOf, framesIn, input, post, textOf, typesOf } from './ag-ui-scene.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const kinds$ = scripted(({ messages }) => {
  const { content } = messages.at(-1) ?? {}
  if (typeof content === 'string') return { text: `Text ${content}.` }
  const parts = (content ?? []).map((part) =>
    'mimeType' in part ? `${part.type} ${part.mimeType} ${String(part.data)}` : part.type,
  )
  return { text: `Parts ${parts.join(', ')}.` }
})

const ask = async (url: string, body: object, headers: Record<string, string> = {}) =>
  framesIn(await (await post(url, body, headers)).text())

describe('a prompt of a thread', () => {
  const withParts = (content: unknown) => ({
    threadId: 't',
    runId: 'r',
    messages: [{ id: 'm', role: 'user', content }],
  })
  const image = { type: 'image', source: { type: 'data', value: png, mimeType: 'image/png' } }

  it('may hold images [AGUI-request-prompt]', async () => {
    const { url } = await startGateway({}, kinds$)
    const frames = await ask(url, withParts([{ type: 'text', text: 'What is it?' }, image]))
    expect(textOf(frames)).toBe(`Parts text, image image/png ${png}.`)
  })

  it.each<[string, unknown]>([
    ['an image by its address', [{ type: 'image', source: { type: 'url', value: 'https://site.example/a.png' } }]],
    ['an image without a type', [{ type: 'image', source: { type: 'data', value: png } }]],
    ['a sound', [{ type: 'audio', source: { type: 'data', value: png, mimeType: 'audio/wav' } }]],
  ])('is refused with %s', async (_, content) => {
    const { url } = await startGateway({}, kinds$)
    expect((await ask(url, withParts(content))).at(-1)?.event).toMatchObject({ type: 'RUN_ERROR', code: 'bad_request' })
  })

  it('may be one that an extension handles: its run has the answer, and no run of the session begins', async () => {
    const greeter = defineExtension({
      name: 'greeter',
      version: '1.0.0',
      capabilities: ['session'],
      setup: ({ commands }) => {
        commands.register({ name: 'greet', description: 'Greets', run: (args) => `Hello ${args}` })
      },
    })
    const { url } = await startGateway({}, kinds$, [greeter])
    const frames = await ask(url, input('t', '/greet you', 'run-1'))
    expect(
      frames.map(({ event: { type, name, value, threadId, runId } }) => ({ type, name, value, threadId, runId })),
    ).toEqual([
      { type: 'RUN_STARTED', threadId: 't', runId: 'run-1' },
      { type: 'CUSTOM', name: 'rxpi.prompt_handled', value: { text: 'Hello you' } },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'run-1' },
    ])
    expect(faultOf(frames)).toBeUndefined()
    expect(textOf(await ask(url, input('t', 'Hello', 'run-2')))).toContain('Hello')
  })
})

describe('the threads of a gateway [AGUI-request-threads]', () => {
  it('leave their session after a time without a request, and come back with the next one', async () => {
    const { url, server } = await startGateway({ agUi: { leavesAfterMs: 100 } }, kinds$)
    await ask(url, input('t', 'one', 'run-1'))
    expect(await clientsOf(server)).toBe(1)
    await expect.poll(() => clientsOf(server), { timeout: 10_000 }).toBe(0)
    const frames = await ask(url, input('t', 'two', 'run-2'))
    expect(textOf(frames)).toContain('two')
  })

  it('are as many as maxThreads: one more replaces the one that was left first', async () => {
    const { url, server } = await startGateway({ agUi: { maxThreads: 2 } }, kinds$)
    for (const threadId of ['a', 'b', 'c']) await ask(url, input(threadId, 'one'))
    expect(await clientsOf(server)).toBe(2)
    // `b` is still there: its last run is stored; `a` is not
    const again = async (threadId: string) => (await ask(url, { ...input(threadId, 'one') })).at(-1)?.event['type']
    expect(await again('b')).toBe('RUN_FINISHED')
    expect(await again('a')).toBe('RUN_ERROR')
  })

  it('are neither opened nor held by a request for the rest of a run that is not stored', async () => {
    const { url, server } = await startGateway({ agUi: { maxThreads: 1 } }, kinds$)
    const resume = async (threadId: string, runId: string) =>
      (await ask(url, input(threadId, 'one', runId), { 'last-event-id': '1.1' })).at(-1)?.event['code']
    expect([await resume('a', 'run-1'), await resume('b', 'run-1')]).toEqual(['bad_request', 'bad_request'])
    expect(await clientsOf(server)).toBe(0)
    await ask(url, input('a', 'one', 'run-1'))
    expect(await resume('a', 'run-2')).toBe('bad_request')
    expect((await ask(url, input('b', 'one'))).at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('are refused as overloaded if requests follow all of them, and those go on', async () => {
    const slow$ = scripted(() => ({ text: 'x'.repeat(200), pieceLength: 2, pieceDelayMs: 10 }))
    const { url } = await startGateway({ agUi: { maxThreads: 2 } }, slow$)
    const followed = [await post(url, input('a', 'one')), await post(url, input('b', 'one'))]
    const refused = await ask(url, input('c', 'one'))
    expect(refused.map(({ event }) => event)).toEqual([
      { type: 'RUN_ERROR', code: 'overloaded', message: expect.stringContaining('2 threads') as string },
    ])
    for (const response of followed) expect(typesOf(framesIn(await response.text())).at(-1)).toBe('RUN_FINISHED')
  })
})
