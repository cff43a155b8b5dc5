// Tests commands that change a session without a run.
// Each acts at once, is one event, and is answered when that event is durable.
import { EMPTY, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import { memoryStore } from '../../../lib/store/index.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl } from '../../support/virtual-session.ts'
import { tools, only } from './change-session-scene.ts'

const callA = { toolCalls: [{ name: 'a' }] }

describe('the active tools', () => {
  const change = ({ send }: SessionControl): void => void send({ type: 'set_active_tools', tools: ['b'] })

  it('are part of each request, from the next one on [LOOP-35a, LOOP-35b, COMMAND-set_active_tools]', () => {
    const { requests } = playSession({
      script: [callA, 'done'],
      tools,
      prompt: 'Go',
      onRecord: ({ event }, control) => {
        if (event.type === 'tool_execution_end') change(control)
      },
    })
    expect(requests.map((request) => request.tools.map(({ name }) => name))).toEqual([['a', 'b'], ['b']])
  })

  it('cause an event with the earlier tools [LOOP-35c, EVENT-changes]', () => {
    const played = playSession({ script: [], tools, at: { 0: change } })
    expect(played.events).toEqual([{ type: 'active_tools_change', from: ['a', 'b'], to: ['b'], by: 'client' }])
    expect(played.session.state$.value.activeTools).toEqual(['b'])
    expect(played.sent[0]).toMatchObject({ result: {}, completed: true })
  })

  it('refuse a call of a registered tool that is not active, like an unknown one [LOOP-35a]', () => {
    const played = playSession({
      script: [callA, 'done'],
      tools,
      at: {
        0: (control) => {
          change(control)
          control.send({ type: 'prompt', text: 'Go' })
        },
      },
    })
    expect(only(played, 'tool_execution_end')).toMatchObject([
      { isError: true, content: [{ text: expect.stringMatching(/"?a"?.*active: b|b/) as string }] },
    ])
  })

  it('can be extended by registered tools, each once', () => {
    const played = playSession({
      script: [],
      tools,
      at: {
        0: (control) => {
          change(control)
          control.send({ type: 'set_active_tools', tools: ['b', 'a', 'b'] })
        },
      },
    })
    expect(played.session.state$.value.activeTools).toEqual(['b', 'a'])
  })

  it('are refused if one is not registered, and nothing changes', () => {
    const played = playSession({
      script: [],
      tools,
      at: { 0: ({ send }) => void send({ type: 'set_active_tools', tools: ['b', 'c'] }) },
    })
    expect(played.sent[0]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/"c".*a, b/) as string,
    })
    expect(played.events).toEqual([])
  })

  it('cause a new system prompt if the session has sectionsFor', () => {
    const provider = scripted(['Hello'])
    const session = openSession({
      log: memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' }),
      settings: () => ({ model: scriptedModel, provider, system: 'with a', thinkingLevel: 'off', tools: [] }),
      registry: tools,
      sectionsFor: (active) => [{ name: 'tools', text: `with ${active.map(({ name }) => name).join(' and ')}` }],
      tools: { cwd: '/', env: {} },
      options: { approve: 'auto' },
    })
    void session.send({ type: 'set_active_tools', tools: ['b', 'a'] })
    void session.send({ type: 'prompt', text: 'Go' })
    expect(provider.requests[0]?.system).toBe('with b and a')
  })
})

describe('the thinking level', () => {
  it('changes at the next request, and causes an event [LOOP-35b, LOOP-35c, EVENT-changes, COMMAND-set_thinking_level]', () => {
    const played = playSession({
      script: [callA, 'done'],
      tools,
      prompt: 'Go',
      onRecord: ({ event }, { send }) => {
        if (event.type === 'tool_execution_end') send({ type: 'set_thinking_level', thinkingLevel: 'high' })
      },
    })
    expect(played.requests.map(({ thinkingLevel }) => thinkingLevel)).toEqual(['off', 'high'])
    expect(only(played, 'thinking_level_change')).toEqual([
      { type: 'thinking_level_change', from: 'off', to: 'high', by: 'client' },
    ])
    expect(played.session.state$.value.thinkingLevel).toBe('high')
  })

  it.each([
    ['high', true],
    ['off', undefined],
  ] as const)('%s is marked as ignored by a model that does not think: %s', (thinkingLevel, ignored) => {
    const session = openSession({
      log: memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' }),
      settings: () => ({ model: { ...scriptedModel, reasoning: false }, provider: scripted([]), system: '', thinkingLevel: 'low', tools: [] }), // prettier-ignore
      tools: { cwd: '/', env: {} },
      options: { approve: 'auto' },
    })
    const events: AgentEvent[] = []
    session.events$.subscribe((event) => events.push(event))
    void session.send({ type: 'set_thinking_level', thinkingLevel })
    const change = { type: 'thinking_level_change', from: 'low', to: thinkingLevel, by: 'client' }
    expect(events).toStrictEqual([{ ...change, ...(ignored && { ignored }) }])
  })
})

describe('the model', () => {
  const provider = scripted(['from the other'])
  const other = { model: { ...scriptedModel, id: 'other', contextWindow: 64_000 }, provider }

  it('changes at the next request of the active run, and answers under its own name [LOOP-35b, LOOP-35c, EVENT-changes, COMMAND-set_model]', () => {
    const played = playSession({
      script: [callA],
      tools,
      prompt: 'Go',
      onRecord: ({ event }, { send }) => {
        if (event.type === 'tool_execution_end') send({ type: 'set_model', model: other })
      },
    })
    expect(provider.requests).toHaveLength(1)
    const named = (id: string): string => `${scriptedModel.provider}/${id}`
    expect(only(played, 'model_change')).toEqual([
      { type: 'model_change', from: named(scriptedModel.id), to: named('other'), contextWindow: 64_000, by: 'client' },
    ])
    expect(only(played, 'message_end').at(-1)).toMatchObject({ message: { role: 'assistant', model: 'other' } })
    expect(played.session.model.id).toBe('other')
  })

  const named = (resolveModel?: (name: string) => Observable<ProviderModel>) => {
    const session = openSession({
      log: memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' }),
      settings: () => ({ model: scriptedModel, provider, system: '', thinkingLevel: 'off', tools: [] }),
      ...(resolveModel === undefined ? {} : { resolveModel }),
      tools: { cwd: '/', env: {} },
      options: {},
    })
    const heard: unknown[] = []
    session.send({ type: 'set_model', model: 'p/other' }).subscribe({
      next: (result) => heard.push(result),
      error: (failure: unknown) => heard.push(failure),
    })
    return { heard, session }
  }

  it('is resolved by its name if the session has resolveModel', () => {
    const { heard, session } = named(() => of(other))
    expect(heard).toEqual([{ model: other.model }])
    expect(session.model.id).toBe('other')
  })

  it('is refused by name without resolveModel, and if the name is unknown', () => {
    expect(named().heard).toMatchObject([{ code: 'bad_request' }])
    expect(named(() => EMPTY).heard).toMatchObject([{ code: 'bad_request', message: 'There is no model "p/other"' }])
  })
})

describe('the mode of a queue', () => {
  it('can be changed during a run, and causes an event [LOOP-17b, EVENT-changes, COMMAND-set_queue_mode]', () => {
    const played = playSession({
      script: [{ text: 'slow', delayMs: 100 }, 'both'],
      prompt: 'Go',
      at: {
        10: ({ send }) => {
          send({ type: 'steer', text: 's1' })
          send({ type: 'steer', text: 's2' })
        },
        20: ({ send }) => void send({ type: 'set_queue_mode', queue: 'steering', mode: 'all' }),
      },
    })
    expect(only(played, 'queue_mode_change')).toEqual([
      { type: 'queue_mode_change', queue: 'steering', from: 'one-at-a-time', to: 'all', by: 'client' },
    ])
    expect(played.requests).toHaveLength(2)
  })

  it('survives a restart [COMMAND-set_queue_mode]', () => {
    const log = faultyLog()
    playSession({
      log,
      script: [],
      at: { 0: ({ send }) => void send({ type: 'set_queue_mode', queue: 'followUp', mode: 'all' }) },
    })
    const again = playSession({
      log,
      script: ['Hello', 'both'],
      at: {
        0: ({ send }) => {
          for (const text of ['f1', 'f2']) send({ type: 'follow_up', text })
          send({ type: 'prompt', text: 'Go' })
        },
      },
    })
    expect(again.requests).toHaveLength(2)
  })
})
