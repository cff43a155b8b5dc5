// Tests tools that requests leave out: search_tools finds them, a note describes them, use_tool calls them.
import { Type } from '@sinclair/typebox'
import { lastValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { contextMessageIn } from '../../../lib/streams/messages/context-message.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { publicTools } from '../../tools/discovery/public-tools.ts'

const parameters = Type.Object({ path: Type.String() })
const own = (name: string): AnyTool => fakeTool(name, () => of(textResult(`${name} ran`)), { capability: 'read' })
const guest = (name: string, description: string): AnyTool => ({
  ...fakeTool(name, () => of(textResult(`${name} ran`)), { description, parameters }),
  origin: { server: 'studio' },
})
const look = own('look')
const paint = guest('paint', 'Draw a picture with a brush.')
const weigh = guest('weigh', 'Find how heavy a parcel is.')
const sing = guest('sing', 'Perform a song aloud.')

function start(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}) {
  const provider = scripted(script)
  const session = createSession({
    ...{ model: { model: scriptedModel, provider }, env: {}, approve: 'auto', system: 'S', freezeTools: true },
    ...{ tools: ['look'], customTools: [look], toolDiscovery: 'always', ...more },
  })
  const sent = (): string[][] => provider.requests.map(({ tools }) => tools.map(({ name }) => name))
  return { provider, session, sent }
}

/** The guests join as those of a client do. */
function startWithGuests(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}) {
  const started = start(script, more)
  return { ...started, offer: started.session.offer([paint, weigh, sing]) }
}

async function run(session: Session, text = 'Go'): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  const listening = session.events$.subscribe((event) => events.push(event))
  const settled = lastValueFrom(session.events$.pipe(untilSettled()), { defaultValue: undefined })
  session.send({ type: 'prompt', text }).subscribe()
  await settled
  listening.unsubscribe()
  return events
}

const close = (session: Session) => lastValueFrom(session.close(), { defaultValue: undefined })
const search = (query: string, more: object = {}) => ({
  toolCalls: [{ name: 'search_tools', arguments: { query, ...more } }],
})
const use = (name: string, args: object = { path: 'x' }) => ({
  toolCalls: [{ name: 'use_tool', arguments: { name, arguments: args } }],
})
const named = <Name extends AgentEvent['type']>(events: readonly AgentEvent[], type: Name) =>
  events.filter((event): event is Extract<AgentEvent, { type: Name }> => event.type === type)
const notes = (events: readonly AgentEvent[]): string[] =>
  named(events, 'message_end').flatMap(({ message }) => {
    const note = contextMessageIn(message)
    return note?.kind === 'tools' ? [note.content] : []
  })
const resultText = (events: readonly AgentEvent[]): string =>
  named(events, 'tool_execution_end')
    .flatMap(({ content }) => content.map((part) => (part.type === 'text' ? part.text : '')))
    .join('\n')
const describing = (tool: AnyTool) =>
  `Call these tools through use_tool:\n${JSON.stringify({ name: tool.name, description: tool.description, parameters })}`

describe('tools that requests leave out', () => {
  it('are found, described by one note and called by their own name; the list keeps its bytes [TOOLS-discovery-found, EVENT-tool_set]', async () => {
    const decided: string[] = []
    const { session, sent } = startWithGuests([search('draw picture'), use('paint'), 'done', search('brush'), 'done'], {
      approve: ({ call }) => {
        decided.push(call.name)
        return of({ decision: 'allow' } as const)
      },
    })
    const events = await run(session)
    expect(resultText(events)).toBe('Found: paint\npaint ran')
    expect(notes(events)).toEqual([describing(paint)])
    expect(named(events, 'tool_set_change')).toMatchObject([{ added: ['paint'], removed: [], source: 'search_tools' }])
    expect(named(events, 'tool_execution_start').at(-1)).toMatchObject({ toolName: 'paint', via: 'use_tool' })
    expect(decided).toContain('paint')
    const again = await run(session)
    expect([resultText(again), notes(again), named(again, 'tool_set_change')]).toEqual(['Found: paint', [], []])
    expect(new Set(sent().map(String))).toEqual(new Set(['look,search_tools,use_tool']))
    expect(session.unlistedTools?.().map(({ name }) => name)).toEqual(['weigh', 'sing'])
    expect(session.activeTools.map(({ name }) => name)).toEqual(['look', 'paint', 'weigh', 'sing'])
    await close(session)
  })

  it.each([
    ['weigh less than the setting', { toolDiscovery: 10 }],
    ['are never left out', { toolDiscovery: 'never' }],
    ['are named by the settings', { listedTools: ['paint', 'weigh', 'sing'] }],
    ['cannot be called by use_tool', { freezeTools: false }],
  ] as const)('are sent if they %s [TOOLS-discovery-limit]', async (_, more) => {
    const { session, sent } = startWithGuests(['one'], more)
    await run(session)
    expect(sent()[0]?.filter((name) => name !== 'use_tool')).toEqual(['look', 'paint', 'weigh', 'sing'])
    expect(session.unlistedTools?.()).toEqual([])
    await close(session)
  })

  it('are left out by their weight in the window [TOOLS-discovery-limit]', async () => {
    const tokens = Math.ceil(JSON.stringify(paint.parameters).length / 4)
    const window = (percent: number) => ({
      ...{ model: { model: { ...scriptedModel, contextWindow: tokens * 10 }, provider: scripted(['one']) } },
      toolDiscovery: percent,
    })
    const [heavy, light] = [startWithGuests([], window(20)), startWithGuests([], window(100))]
    expect([heavy, light].map(({ session }) => session.unlistedTools?.().length)).toEqual([3, 0])
    await close(heavy.session)
    await close(light.session)
  })

  it('are hundreds at the usual setting: a request has none of them [TOOLS-discovery-limit]', async () => {
    const model = { model: { ...scriptedModel, contextWindow: 200_000 }, provider: scripted(['one']) }
    const { session } = start([], { model, toolDiscovery: 10 })
    session.offer(publicTools())
    await run(session)
    expect(model.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['look', 'search_tools', 'use_tool'])
    expect(session.unlistedTools?.().length).toBeGreaterThan(500)
    const next = session.nextRequest?.()
    expect(next?.unlisted?.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(20_000)
    expect(next?.parts.filter(({ kind }) => kind === 'tool')).toHaveLength(3)
    await close(session)
  })

  it('stay those of rxpi and the program: only guests are left out [TOOLS-discovery-own]', async () => {
    const { session, sent } = startWithGuests(['one'], { tools: ['look', 'read', 'bash'] })
    session.send({ type: 'set_active_tools', tools: ['look', 'read', 'bash', 'paint'] }).subscribe()
    await run(session)
    expect(sent()[0]).toEqual(['look', 'read', 'bash', 'search_tools', 'use_tool'])
    session.send({ type: 'set_active_tools', tools: ['look', 'sing'] }).subscribe() // a person switches it on
    expect(notes(await run(session)).join()).toContain('"name":"sing"')
    await close(session)
  })

  it('can be called unfound; a refusal names what the model knows [TOOLS-discovery-found]', async () => {
    const { session } = startWithGuests([use('sing'), use('nothing'), 'done'])
    expect(resultText(await run(session))).toBe(
      'sing ran\nThere is no active tool "nothing". Active tools: look, search_tools.',
    )
    await close(session)
  })

  it('are announced if they join after the list was frozen, by a note about search_tools alone', async () => {
    const { session, sent } = start(['one', use('search_tools', { query: 'song' }), 'two'])
    await run(session)
    session.offer([paint, weigh, sing])
    const joined = notes(await run(session))
    expect(joined[0]).toMatch(/^Call these tools through use_tool:\n{"name":"search_tools"[^\n]*$/)
    expect(joined.slice(1)).toEqual([describing(sing)])
    expect(new Set(sent().map(String))).toEqual(new Set(['look,use_tool']))
    await close(session)
  })

  it('keep described what the model knew before more joined', async () => {
    const { session, sent } = start([], { toolDiscovery: 0.1 })
    const window = { model: { ...scriptedModel, contextWindow: 60_000 }, provider: scripted(['one', 'two', 'three']) }
    session.send({ type: 'set_model', model: window }).subscribe()
    session.offer([paint])
    await run(session)
    session.offer([weigh, sing])
    expect(notes(await run(session)).join()).not.toMatch(/cannot be called|"name":"weigh"/)
    expect(window.provider.requests.map(({ tools }) => tools.map(({ name }) => name).join())).toEqual([
      'look,paint,use_tool',
      'look,paint,use_tool',
    ])
    expect(sent()).toEqual([])
    await close(session)
  })

  it('say what fits nothing, and refuse arguments of another shape', async () => {
    const { session } = startWithGuests([
      search('qqqq'),
      search('song', { query: 7 }),
      search('song', { limit: 21 }),
      'done',
    ])
    expect(resultText(await run(session)).split('\n')).toEqual([
      'No tool fits. Try other words: what it does, or its service.',
      'The arguments of search_tools are not valid:',
      expect.stringContaining('query'),
      expect.stringContaining('Received'),
      'The arguments of search_tools are not valid:',
      expect.stringContaining('limit'),
      expect.stringContaining('Received'),
    ])
    await close(session)
  })
})

describe('tools that a search found', () => {
  it('are in the list after a compaction, and in a session that is opened again [TOOLS-discovery-lasting]', async () => {
    const store = memoryStore()
    const compaction = { summariser: () => of('They talked.'), compaction: { enabled: true, keepRecentTokens: 20 } }
    const { session, sent } = startWithGuests([search('parcel'), 'long '.repeat(900), 'two', 'three'], { store, ...compaction }) // prettier-ignore
    await run(session)
    await run(session)
    await lastValueFrom(session.send({ type: 'compact' }), { defaultValue: undefined })
    expect(notes(await run(session))).toEqual([])
    expect(sent().at(-1)).toEqual(['look', 'weigh', 'search_tools', 'use_tool'])
    await close(session)
    const again = startWithGuests(['four', use('weigh'), 'five'], { store, sessionId: session.id })
    const events = await run(again.session)
    expect(again.sent()).toEqual([['look', 'weigh', 'search_tools', 'use_tool']])
    expect(notes(events).join()).not.toContain('weigh')
    expect(resultText(await run(again.session))).toBe('weigh ran')
    await close(again.session)
  })

  it('are described again after the head went back to before the note', async () => {
    const { session } = startWithGuests(['one', search('song'), 'two', 'three'])
    const first = named(await run(session), 'message_end').at(-1)?.entryId ?? null
    expect(notes(await run(session))).toEqual([describing(sing)])
    session.send({ type: 'branch_session', entryId: first }).subscribe()
    expect(notes(await run(session))).toEqual([describing(sing)])
    await close(session)
  })

  it('go with their client, and come back found', async () => {
    const { session, offer } = startWithGuests(['one', search('song'), 'two', 'three', 'four'])
    await run(session)
    await run(session)
    offer.withdraw()
    expect(notes(await run(session))).toEqual(['These tools cannot be called now: sing.'])
    session.offer([paint, weigh, sing])
    expect(notes(await run(session))).toEqual([describing(sing)])
    await close(session)
  })

  it('are not searched if a tool of the program has the name of search_tools', async () => {
    const { session, sent } = startWithGuests(['one'], { tools: ['look', 'search_tools'], customTools: [look, own('search_tools')] }) // prettier-ignore
    session.send({ type: 'set_active_tools', tools: ['look', 'search_tools', 'paint'] }).subscribe()
    await run(session)
    expect(sent()[0]).toEqual(['look', 'search_tools', 'paint', 'use_tool'])
    await close(session)
  })
})
