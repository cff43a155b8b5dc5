// Tests `createSession` of the library with the user's own model, tools and store.
// Over 250 lines: one function, and each option that a caller may give.
import { Type } from '@sinclair/typebox'
import { of, take } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultActiveTools } from '../../../lib/session/tools/active-tools.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { unknownUsage } from '../../../lib/providers/adapter/usage-cost.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { todo } from '../../../lib/tools/index.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'

function options(script: Parameters<typeof scripted>[0], more: CreateSessionOptions = {}): CreateSessionOptions {
  const model = { model: scriptedModel, provider: scripted(script) }
  return { model, cwd: '/somewhere', env: {}, tools: [], system: 'Be brief.', ...more }
}

function prompted(session: Session): AgentEvent[] {
  const events: AgentEvent[] = []
  session.events$.subscribe((event) => events.push(event))
  session.send({ type: 'prompt', text: 'Hi' }).subscribe()
  return events
}

describe('createSession', () => {
  it('accepts a model with its provider', () => {
    const session = createSession(options(['Hello']))
    expect(shortNotation(prompted(session))).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect([session.model, session.header.cwd]).toEqual([scriptedModel, '/somewhere'])
  })

  it.each(['input', 'totalTokens'])('counts an answer as unknown if its %s is not a number', (field) => {
    const usage = { ...noUsage, [field]: Number.NaN }
    const provider = () => of({ type: 'done', stopReason: 'stop', usage } as const)
    const events = prompted(createSession(options([], { model: { model: scriptedModel, provider } })))
    expect(events).toContainEqual(expect.objectContaining({ type: 'warning', code: 'usage_impossible' }))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'agent_end',
        terminationReason: 'completed',
        usage: unknownUsage(scriptedModel),
      }),
    )
  })

  it('compiles the schemas of tools without validate', () => {
    const tool = defineTool({
      name: 'count',
      description: 'Counts',
      parameters: Type.Object({ to: Type.Integer() }),
      capability: 'read',
      execute: ({ to }) => of(textResult(`up to ${to}`)),
    })
    const calls = [
      { name: 'count', arguments: { to: '3' } },
      { name: 'count', arguments: { to: 'many' } },
    ]
    const session = createSession(options([{ toolCalls: calls }, 'done'], { tools: [tool] }))
    const texts = JSON.stringify(prompted(session).filter(({ type }) => type === 'tool_execution_end'))
    expect(texts).toContain('up to 3')
    expect(texts).toContain('/to: must be a whole number')
  })

  it('holds the plan of todo in its state and its log, without approval [TOOLS-talk-todo, EVENT-plan_update]', () => {
    const items = [{ text: 'look', state: 'in_progress' }]
    const script = [{ toolCalls: [{ name: 'todo', arguments: { items } }] }, 'done']
    const session = createSession(options(script, { tools: [todo] }))
    const updates = prompted(session).filter(({ type }) => type === 'plan_update')
    const plan = [{ id: '1', text: 'look', state: 'in_progress' }]
    expect(updates).toEqual([expect.objectContaining({ type: 'plan_update', items: plan })])
    session.state$.pipe(take(1)).subscribe((state) => expect(state.plan).toEqual(plan))
    expect.assertions(2)
  })

  it('refuses tools that do more than read without the approve option [S6a]', () => {
    const act = fakeTool('act', 'done')
    const script = [{ toolCalls: [{ name: 'act' }] }, 'done']
    expect(JSON.stringify(prompted(createSession(options(script, { tools: [act] }))))).toContain('`approve`')
    expect(act.calls).toEqual([])
    prompted(createSession(options(script, { tools: [act], approve: 'auto' })))
    expect(act.calls).toHaveLength(1)
  })

  it('continues a session of its store', () => {
    const store = memoryStore()
    const first = createSession(options(['one'], { store }))
    prompted(first)
    first.close().subscribe()
    const again = createSession(options(['two'], { store, sessionId: first.id }))
    prompted(again)
    expect(again.id).toBe(first.id)
    expect([...again.state$.value.entries.values()].map(({ message }) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('fails with the id of a session that its store does not have', () => {
    const open = () => createSession(options([], { store: memoryStore(), sessionId: 'abcdefghijkl' }))
    expect(open).toThrow(expect.objectContaining({ code: 'unknown_session' }) as Error)
  })

  it("ends the active run when the option's signal aborts", () => {
    const controller = new AbortController()
    const events = prompted(createSession(options([{ end: 'never' }], { signal: controller.signal })))
    expect(events.at(-1)?.type).toBe('message_end')
    controller.abort()
    expect(events.find((event) => event.type === 'agent_end')).toMatchObject({ terminationReason: 'aborted' })
  })

  it('removes its listener from the signal when it is closed', () => {
    const controller = new AbortController()
    const session = createSession(options([], { signal: controller.signal }))
    session.close().subscribe()
    expect(() => {
      controller.abort()
    }).not.toThrow()
  })
})

describe('tools by name', () => {
  const own = fakeTool('own', 'mine')
  const names = (session: Session): string[] => {
    const [start] = prompted(session)
    return start?.type === 'agent_start' ? start.tools : []
  }

  it('are built-in ones, beside tool objects', () => {
    expect(names(createSession(options(['Hello'], { tools: ['read', own] })))).toEqual(['read', 'own'])
    expect(() => createSession(options([], { tools: ['none'] }))).toThrow(/no tool "none"; tools: read, write/)
  })

  it('as customTools extend the default ones, and can replace them', () => {
    const { tools: _, ...usual } = options(['Hello'])
    expect(names(createSession({ ...usual, customTools: [own] }))).toEqual([...defaultActiveTools, 'own'])
    expect(names(createSession({ ...usual, customTools: [fakeTool('bash', 'not really')] }))).toHaveLength(
      defaultActiveTools.length,
    )
  })

  it('that a command activated are active after the session is opened again', () => {
    const store = memoryStore()
    const { tools: _, ...usual } = options(['Hello'], { store, customTools: [own] })
    const first = createSession(usual)
    void first.send({ type: 'set_active_tools', tools: ['own', 'read'] })
    void first.send({ type: 'set_thinking_level', thinkingLevel: 'high' })
    first.close().subscribe()
    const again = createSession({ ...usual, sessionId: first.id })
    expect(prompted(again)[0]).toMatchObject({ tools: ['own', 'read'], thinkingLevel: 'high' })
  })
})

describe('models by name', () => {
  it('are found by the modelRegistry, at the start and by set_model', () => {
    const requests: string[] = []
    const modelRegistry = {
      resolve: (name: string) => {
        requests.push(name)
        return of({ model: { ...scriptedModel, id: name }, provider: scripted(['Hello']) })
      },
    }
    const session = createSession(options([], { model: 'first', modelRegistry }))
    void session.send({ type: 'set_model', model: 'second' })
    expect([requests, session.model.id]).toEqual([['first', 'second'], 'second'])
  })
})

describe('queue modes', () => {
  const modesOf = (session: Session): unknown => {
    const received: unknown[] = []
    for (const queue of ['steering', 'followUp'] as const)
      session.send({ type: 'set_queue_mode', queue, mode: 'all' }).subscribe()
    session.logged()
    for (const { event } of session.logged()) if (event.type === 'queue_mode_change') received.push(event.from)
    return received.slice(-2)
  }

  it('are those of the options, else those of the log, else those of the settings', () => {
    const store = memoryStore()
    const first = createSession(options([], { store, settings: { followUpMode: 'all' } }))
    expect(modesOf(first)).toEqual(['one-at-a-time', 'all'])
    first.send({ type: 'set_queue_mode', queue: 'followUp', mode: 'one-at-a-time' }).subscribe()
    first.close().subscribe()
    const again = { store, sessionId: first.id, settings: { followUpMode: 'all' } } as const
    const requests = createSession(options([], { ...again, queueModes: { steering: 'one-at-a-time' } }))
    expect(modesOf(requests)).toEqual(['one-at-a-time', 'one-at-a-time'])
  })
})

describe('settings', () => {
  it('apply to every run; the options precede them [CONFIG-layers]', () => {
    const call = { toolCalls: [{ name: 'none' }] }
    const turns = (more: CreateSessionOptions): unknown =>
      prompted(createSession(options([call, call, 'done'], { settings: { limits: { turns: 1 } }, ...more }))).at(-2)
    expect(turns({})).toMatchObject({ terminationReason: 'stopped', totalTurns: 1 })
    expect(turns({ limits: { turns: 2 } })).toMatchObject({ terminationReason: 'stopped', totalTurns: 2 })
    const settings = { thinkingLevel: 'low' } as const
    expect(createSession(options([], { settings })).thinkingLevel).toBe('low')
    expect(createSession(options([], { settings, thinkingLevel: 'high' })).thinkingLevel).toBe('high')
  })
})

describe('a listener that throws', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('is reported once, as an event and on stderr; the others still get every event [LOOP-30b, EVENT-told]', () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const heard: string[] = []
    const session = createSession(
      options(['Hello'], {
        onEvent: ({ type }) => {
          heard.push(type)
          if (type !== 'agent_start') throw new Error('a listener of somebody')
        },
      }),
    )
    const events = prompted(session)
    expect(heard).toEqual(events.map(({ type }) => type))
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      {
        type: 'warning',
        code: 'listener_failed',
        message: 'A listener failed at turn_start: a listener of somebody',
        context: { event: 'turn_start' },
        recoverable: true,
      },
    ])
    expect(stderr.mock.calls).toEqual([['rxpi: A listener failed at turn_start: a listener of somebody']])
  })

  it('is not called after its removal', () => {
    const session = createSession(options(['Hello', 'Hello again']))
    const heard: string[] = []
    const end = session.listen(({ type }) => {
      heard.push(type)
      if (type === 'agent_settled') end()
    })
    prompted(session)
    prompted(session)
    expect(heard.filter((type) => type === 'agent_start')).toHaveLength(1)
  })
})
