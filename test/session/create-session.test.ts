// The library's way to a session, with a model, tools and a store of the user's own.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../lib/session/create-session.ts'
import type { CreateSessionOptions } from '../../lib/session/create-session.ts'
import type { Session } from '../../lib/session/session.ts'
import { memoryStore } from '../../lib/store/memory-store.ts'
import { scripted } from '../../lib/providers/scripted.ts'
import { scriptedModel } from '../../lib/providers/scripted-model.ts'
import { defineTool } from '../../lib/streams/define-tool.ts'
import type { AgentEvent } from '../../lib/streams/event.ts'
import { textResult } from '../../lib/streams/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { shortNotation } from '../../lib/testing/short-name.ts'

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
  it('makes a session of a model of one’s own', () => {
    const session = createSession(options(['Hello']))
    expect(shortNotation(prompted(session))).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect([session.model, session.header.cwd]).toEqual([scriptedModel, '/somewhere'])
  })

  it('compiles the schemas of tools that bring no check', () => {
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
    expect(texts).toContain('/to: must be integer')
  })

  it('refuses whatever does more than read, unless somebody can be asked', () => {
    const act = fakeTool('act', 'done')
    const script = [{ toolCalls: [{ name: 'act' }] }, 'done']
    expect(JSON.stringify(prompted(createSession(options(script, { tools: [act] }))))).toContain('`approve`')
    expect(act.calls).toEqual([])
    prompted(createSession(options(script, { tools: [act], approve: 'auto' })))
    expect(act.calls).toHaveLength(1)
  })

  it('goes on with a session of its store', () => {
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

  it('names the session that its store does not have', () => {
    const open = () => createSession(options([], { store: memoryStore(), sessionId: 'abcdefghijkl' }))
    expect(open).toThrow(expect.objectContaining({ code: 'unknown_session' }) as Error)
  })

  it('ends the run that is on when the outside signal aborts', () => {
    const controller = new AbortController()
    const events = prompted(createSession(options([{ end: 'never' }], { signal: controller.signal })))
    expect(events.at(-1)?.type).toBe('message_end')
    controller.abort()
    expect(events.find((event) => event.type === 'agent_end')).toMatchObject({ terminationReason: 'aborted' })
  })

  it('listens to the outside signal no longer than it is open', () => {
    const controller = new AbortController()
    const session = createSession(options([], { signal: controller.signal }))
    session.close().subscribe()
    expect(() => {
      controller.abort()
    }).not.toThrow()
  })
})

describe('LOOP 30: a listener that throws', () => {
  it('is reported, and the others still get every event', async () => {
    const warned = new Promise<Error>((resolve) => {
      process.once('warning', resolve)
    })
    const heard: string[] = []
    const session = createSession(
      options(['Hello'], {
        onEvent: ({ type }) => {
          heard.push(type)
          if (type === 'turn_start') throw new Error('a listener of somebody')
        },
      }),
    )
    const events = prompted(session)
    expect(heard).toEqual(events.map(({ type }) => type))
    expect((await warned).message).toBe('onEvent failed at turn_start: a listener of somebody')
  })
})
