// Tests the frozen list of tools: what joins is described once and called through use_tool, what leaves is refused.
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
import { fakeTool } from '../../../lib/testing/fake-tool.ts'

const parameters = Type.Object({ path: Type.String() })
const tool = (name: string, description = name) =>
  fakeTool(name, () => of(textResult(`${name} ran`)), { capability: 'read', description, parameters })
const [look, other] = [tool('look'), tool('other')]
const late = fakeTool('late', () => of(textResult('late ran')), { description: 'Comes later.', parameters })

function start(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}) {
  const provider = scripted(script)
  const session = createSession({
    ...{ model: { model: scriptedModel, provider }, env: {}, approve: 'auto', system: 'S' },
    ...{ tools: [look, other], freezeTools: true, ...more },
  })
  const sent = (): string[][] => provider.requests.map(({ tools }) => tools.map(({ name }) => name))
  return { provider, session, sent }
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
const use = (name: string, args: unknown) => ({
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

describe('the frozen list of tools', () => {
  it('stays when a tool joins; a note describes it once, and use_tool calls it by its own name [CONTEXT-tools-joined, CONTEXT-tools-inner]', async () => {
    const hooked: unknown[] = []
    const { session, sent, provider } = start(['one', use('late', { path: 'x' }), 'two', 'three'], {
      hooks: { beforeToolCall: ({ call, args }) => void hooked.push([call.name, args]) },
      approve: ({ call, args }) => {
        hooked.push([call.name, args])
        return of({ decision: 'allow' } as const)
      },
    })
    await run(session)
    session.offer([late])
    const events = await run(session)
    expect(notes(events)).toEqual([
      `Call these tools through use_tool:\n${JSON.stringify({ name: 'late', description: 'Comes later.', parameters })}`,
    ])
    expect(named(events, 'tool_execution_start')).toMatchObject([
      { toolName: 'late', args: { path: 'x' }, via: 'use_tool' },
    ])
    expect(named(events, 'tool_execution_end')).toMatchObject([{ toolName: 'late', isError: false }])
    expect(hooked).toEqual(Array(2).fill(['late', { path: 'x' }]))
    expect(notes(await run(session))).toEqual([])
    expect(sent()).toEqual(Array.from({ length: 4 }, () => ['look', 'other', 'use_tool']))
    const calls = provider.requests
      .at(-1)
      ?.messages.flatMap((message) =>
        message.role === 'assistant' ? message.content.filter(({ type }) => type === 'toolCall') : [],
      )
    expect(calls).toMatchObject([{ name: 'use_tool', arguments: { name: 'late', arguments: { path: 'x' } } }])
    expect(session.activeTools.map(({ name }) => name)).toEqual(['look', 'other', 'late'])
    await close(session)
  })

  it('stays when a tool leaves; its call is refused and names what is there [CONTEXT-tools-left]', async () => {
    const { session, sent } = start([
      'one',
      { toolCalls: [{ name: 'other', arguments: { path: 'x' } }] },
      'two',
      'three',
    ])
    await run(session)
    session.send({ type: 'set_active_tools', tools: ['look'] }).subscribe()
    const events = await run(session)
    expect(notes(events)).toEqual(['These tools cannot be called now: other.'])
    expect(resultText(events)).toBe('There is no active tool "other". Active tools: look.')
    session.send({ type: 'set_active_tools', tools: ['other', 'look'] }).subscribe()
    expect(notes(await run(session))).toEqual(['These tools can be called: other.'])
    expect(new Set(sent().map(String))).toEqual(new Set(['look,other,use_tool']))
    await close(session)
  })

  it('describes a tool again that a client offers with another definition', async () => {
    const { session } = start(['one', 'two', 'three'])
    const offer = session.offer([late])
    await run(session)
    offer.withdraw()
    session.offer([tool('late', 'Is another one.')])
    expect(notes(await run(session)).join()).toContain('"description":"Is another one."')
    await close(session)
  })

  it('says it again after the head went back to before the note', async () => {
    const { session } = start(['one', 'two', 'three'])
    const first = named(await run(session), 'message_end').at(-1)?.entryId ?? null
    session.offer([late])
    expect(notes(await run(session))).toHaveLength(1)
    session.send({ type: 'branch_session', entryId: first }).subscribe()
    expect(notes(await run(session))).toHaveLength(1)
    await close(session)
  })

  it.each([
    [
      'no name',
      { toolCalls: [{ name: 'use_tool', arguments: { arguments: {} } }] },
      /^use_tool takes .* Active tools: look, other\./,
    ],
    ['its own name', use('use_tool', { name: 'look' }), /^use_tool takes/],
    ['an unknown name', use('nothing', {}), /^There is no active tool "nothing"\. Active tools: look, other\./],
    [
      'arguments of another shape',
      use('look', {}),
      /^The arguments of look are not valid:\n- arguments: needs the field "path"/,
    ],
    ['arguments that are no JSON', use('look', '{'), /^The arguments of look are not a JSON object/],
    ['an array of arguments', use('look', [1]), /^use_tool takes/],
  ])('refuses use_tool with %s', async (_, answer, text) => {
    const { session } = start([answer, 'two'])
    expect(resultText(await run(session))).toMatch(text)
    await close(session)
  })

  it.each([
    ['JSON text', use('look', '{"path":"x"}')],
    ['an object, for a tool of the list', use('look', { path: 'x' })],
  ])('takes arguments as %s', async (_, answer) => {
    const { session } = start([answer, 'two'])
    expect(resultText(await run(session))).toBe('look ran')
    await close(session)
  })

  it('freezes anew for another model, and when a log is opened again; the log keeps the inner name [CONTEXT-tools-anew]', async () => {
    const store = memoryStore()
    const { session, sent, provider } = start(['one', use('late', { path: 'x' }), 'two', 'three'], { store })
    await run(session)
    session.offer([late])
    await run(session)
    const model = { model: { ...scriptedModel, id: 'another' }, provider }
    session.send({ type: 'set_model', model }).subscribe()
    expect(notes(await run(session))).toEqual([])
    expect(sent().at(-1)).toEqual(['look', 'other', 'late', 'use_tool'])
    await close(session)
    const again = start(['four'], { store, sessionId: session.id, tools: [look, other], customTools: [late] })
    const started = named(
      [...again.session.logged()].map(({ event }) => event),
      'tool_execution_start',
    )
    expect(started).toMatchObject([{ toolName: 'late', args: { path: 'x' }, via: 'use_tool' }])
    expect(notes(await run(again.session))).toEqual(['These tools cannot be called now: late.'])
    await close(again.session)
  })

  it('freezes anew after a compaction, behind which no note is needed [CONTEXT-tools-anew]', async () => {
    const summariser$ = () => of('They talked.')
    const { session, sent } = start(['long '.repeat(900), 'two', 'three', 'four'], {
      ...{ summariser: summariser$, compaction: { enabled: true, keepRecentTokens: 20 } },
    })
    await run(session)
    session.offer([late])
    expect(notes(await run(session))).toHaveLength(1)
    await lastValueFrom(session.send({ type: 'compact' }), { defaultValue: undefined })
    expect(notes(await run(session))).toEqual([])
    expect(sent().at(-1)).toEqual(['look', 'other', 'late', 'use_tool'])
    await close(session)
  })

  it('takes no name from a client, and is not there if nothing is frozen or no tool is active', async () => {
    const frozen = start([])
    expect(() => frozen.session.offer([tool('use_tool')])).toThrow(/already registered/)
    await close(frozen.session)
    const plain = start(['one', 'two'], { freezeTools: false })
    await run(plain.session)
    plain.session.offer([late])
    expect(notes(await run(plain.session))).toEqual([])
    expect(plain.sent()).toEqual([['look', 'other'], ['look', 'other', 'late']]) // prettier-ignore
    await close(plain.session)
    const empty = start(['one'], { tools: [] })
    await run(empty.session)
    expect(empty.sent()).toEqual([[]])
    await close(empty.session)
    const own = start([{ toolCalls: [{ name: 'use_tool', arguments: { path: 'x' } }] }, 'two'], {
      tools: [tool('use_tool')],
    })
    expect(resultText(await run(own.session))).toBe('use_tool ran')
    expect(own.sent()[0]).toEqual(['use_tool'])
    await close(own.session)
  })
})
