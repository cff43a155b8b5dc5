// Commands that change a session without running it; each acts at once, is one event, and is answered when that is durable.
import { EMPTY, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../lib/providers/scripted.ts'
import { scriptedModel } from '../../lib/providers/scripted-model.ts'
import { openSession } from '../../lib/session/open-session.ts'
import { memoryStore } from '../../lib/store/index.ts'
import { Failure } from '../../lib/streams/failure.ts'
import type { ProviderModel } from '../../lib/streams/provider.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { faultyLog } from '../support/faulty-log.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionControl } from '../support/virtual-session.ts'

const tools = [fakeTool('a', 'of a'), fakeTool('b', 'of b')]
const callA = { toolCalls: [{ name: 'a' }] }

const types = ({ events }: PlayedSession): string[] => events.map(({ type }) => type)
const only = ({ events }: PlayedSession, type: string) => events.filter((event) => event.type === type)

describe('the active tools', () => {
  const change = ({ send }: SessionControl): void => void send({ type: 'set_active_tools', tools: ['b'] })

  it('are what each request carries, from the next one on [LOOP-35a, LOOP-35b, COMMAND-set_active_tools]', () => {
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

  it('are an event with what they were [LOOP-35c, EVENT-changes]', () => {
    const played = playSession({ script: [], tools, at: { 0: change } })
    expect(played.events).toEqual([{ type: 'active_tools_change', from: ['a', 'b'], to: ['b'], by: 'client' }])
    expect(played.session.state$.value.activeTools).toEqual(['b'])
    expect(played.sent[0]).toMatchObject({ result: {}, completed: true })
  })

  it('refuse a call to a registered tool that is not active, as an unknown one [LOOP-35a]', () => {
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

  it('can be made more again out of those that are registered, each once', () => {
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

  it('are refused where one is not registered, and nothing changes', () => {
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

  it('make another system prompt where the session knows how', () => {
    const provider = scripted(['Hello'])
    const session = openSession({
      log: memoryStore().create({ id: 'aaaaaaaaaaaa', createdAt: 0, cwd: '/' }),
      settings: () => ({ model: scriptedModel, provider, system: 'with a', thinkingLevel: 'off', tools: [] }),
      registry: tools,
      systemFor: (active) => `with ${active.map(({ name }) => name).join(' and ')}`,
      tools: { cwd: '/', env: {} },
      options: { approve: 'auto' },
    })
    void session.send({ type: 'set_active_tools', tools: ['b', 'a'] })
    void session.send({ type: 'prompt', text: 'Go' })
    expect(provider.requests[0]?.system).toBe('with b and a')
  })
})

describe('the thinking level', () => {
  it('changes with the next request, as an event [LOOP-35b, LOOP-35c, EVENT-changes, COMMAND-set_thinking_level]', () => {
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
})

describe('the model', () => {
  const provider = scripted(['from the other'])
  const other = { model: { ...scriptedModel, id: 'other' }, provider }

  it('changes with the next request of a run that is on, and answers under its own name [LOOP-35b, EVENT-changes, COMMAND-set_model]', () => {
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
      { type: 'model_change', from: named(scriptedModel.id), to: named('other'), by: 'client' },
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

  it('is found by its name where the session can find models', () => {
    const { heard, session } = named(() => of(other))
    expect(heard).toEqual([{ model: other.model }])
    expect(session.model.id).toBe('other')
  })

  it('is refused by name where it cannot, and where there is none', () => {
    expect(named().heard).toMatchObject([{ code: 'bad_request' }])
    expect(named(() => EMPTY).heard).toMatchObject([{ code: 'bad_request', message: 'There is no model "p/other"' }])
  })
})

describe('the mode of a queue', () => {
  it('can be changed by command while a run is on, and is an event [LOOP-17b, EVENT-changes, COMMAND-set_queue_mode]', () => {
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

  it('is kept over a restart [COMMAND-set_queue_mode]', () => {
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

describe('what is queued', () => {
  const queued = (act: (control: SessionControl, ids: string[]) => void): PlayedSession =>
    playSession({
      script: ['Hello', 'next', 'next', 'next', 'next'],
      at: {
        0: (control) => {
          const { send } = control
          for (const text of ['f1', 'f2']) send({ type: 'follow_up', text })
          send({ type: 'steer', text: 's1' })
        },
        10: (control) => {
          act(
            control,
            control.session.state$.value.queue.map(({ queueId }) => queueId),
          )
        },
        20: ({ send }) => void send({ type: 'prompt', text: 'Go' }),
      },
    })
  const said = ({ requests }: PlayedSession): unknown[] =>
    (requests.at(-1)?.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []))

  it('can be changed until it is delivered, by its id [LOOP-21b, COMMAND-queue]', () => {
    const played = queued(({ send }, [id = '']) => void send({ type: 'edit_queued', queueId: id, text: 'better' }))
    expect(said(played)).toEqual(['Go', 's1', 'better', 'f2'])
    expect(only(played, 'queue_update')[3]).toMatchObject({ op: 'edit', queue: 'followUp', content: 'better' })
  })

  it('can be taken out, by its id [LOOP-21b, COMMAND-queue]', () => {
    const played = queued(({ send }, [, id = '']) => void send({ type: 'remove_queued', queueId: id }))
    expect(said(played)).toEqual(['Go', 's1', 'f1'])
  })

  it.each([
    ['followUp', 2, ['Go', 's1']],
    ['steering', 1, ['Go', 'f1', 'f2']],
    [undefined, 3, ['Go']],
  ] as const)('can be cleared: %s [LOOP-21b, COMMAND-queue]', (queue, cleared, left) => {
    const played = queued(({ send }) => void send({ type: 'clear_queue', ...(queue === undefined ? {} : { queue }) }))
    expect(said(played)).toEqual(left)
    expect(played.sent[3]).toMatchObject({ result: { cleared }, completed: true })
  })

  it('is not told as cleared where nothing waited', () => {
    const played = playSession({ script: [], at: { 0: ({ send }) => void send({ type: 'clear_queue' }) } })
    expect(played.sent[0]).toMatchObject({ result: { cleared: 0 }, completed: true })
    expect(played.events).toEqual([])
  })

  it.each(['edit_queued', 'remove_queued'] as const)('that was delivered already: %s is refused', (type) => {
    const played = queued(({ send }) => void send({ type, queueId: 'zzzzzzzz', text: 'x' }))
    expect(played.sent[3]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/may have been delivered/) as string,
    })
  })
})

describe('branch_session', () => {
  const entries = ({ session }: SessionControl): string[] => [...session.state$.value.entries.keys()]
  const branched = (entry: (ids: string[]) => string | null): PlayedSession =>
    playSession({
      script: ['one', 'two', 'three'],
      prompt: 'first',
      at: {
        10: ({ send }) => void send({ type: 'prompt', text: 'second' }),
        20: (control) => void control.send({ type: 'branch_session', entryId: entry(entries(control)) }),
        30: ({ send }) => void send({ type: 'prompt', text: 'other' }),
      },
    })
  const told = ({ requests }: PlayedSession): unknown[] =>
    (requests[2]?.messages ?? []).map(({ role, content }) => (role === 'user' ? content : role))

  it('goes on from another entry, and keeps what was there [EVENT-head, COMMAND-branch_session]', () => {
    const played = branched(([, answer = '']) => answer)
    expect(told(played)).toEqual(['first', 'assistant', 'other'])
    expect(played.session.state$.value.entries.size).toBe(6)
    expect(types(played)).toContain('head_moved')
  })

  it('goes on from before the first entry', () => {
    expect(told(branched(() => null))).toEqual(['other'])
  })

  it('refuses an entry that the session has not [COMMAND-branch_session]', () => {
    const played = branched(() => 'zzzzzzzz')
    expect(played.sent[2]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/no entry "zzzzzzzz"/) as string,
    })
    expect(told(played)).toEqual(['first', 'assistant', 'second', 'assistant', 'other'])
  })

  it('is refused while a run is on', () => {
    const played = playSession({
      script: [{ text: 'slow', delayMs: 100 }],
      prompt: 'first',
      at: { 10: ({ send }) => void send({ type: 'branch_session', entryId: null }) },
    })
    expect(played.sent[1]?.failure).toMatchObject({ code: 'busy' })
  })
})

describe('a change that cannot be written', () => {
  it('is answered `storage`', () => {
    const log = faultyLog()
    log.disk.full = true
    const played = playSession({
      log,
      script: [],
      tools,
      at: { 0: ({ send }) => void send({ type: 'set_thinking_level', thinkingLevel: 'low' }) },
    })
    expect(Failure.from(played.sent[0]?.failure).code).toBe('storage')
  })
})

describe('rename_session and set_label', () => {
  it('are events that the state has, with what the title was [EVENT-changes, EVENT-label, COMMAND-rename_session]', () => {
    const played = playSession({
      script: ['Hello'],
      prompt: 'Hi',
      at: {
        5: ({ send, session }) => {
          send({ type: 'rename_session', title: 'One' })
          send({ type: 'rename_session', title: 'Two' })
          send({ type: 'set_label', entryId: session.state$.value.headEntryId ?? '', label: 'here' })
        },
      },
    })
    const { state$ } = played.session
    expect(only(played, 'session_info_change')).toEqual([
      { type: 'session_info_change', to: { title: 'One' }, by: 'client' },
      { type: 'session_info_change', from: { title: 'One' }, to: { title: 'Two' }, by: 'client' },
    ])
    expect([state$.value.title, [...state$.value.labels.values()]]).toEqual(['Two', ['here']])
    const { headEntryId } = state$.value
    expect(only(played, 'label')).toEqual([{ type: 'label', targetEntryId: headEntryId, label: 'here', by: 'client' }])
    expect(played.sent.every(({ completed, failure }) => completed && failure === undefined)).toBe(true)
  })

  it('do it once for one opId, and refuse another body', () => {
    const played = playSession({
      script: [],
      at: {
        0: ({ send }) => {
          send({ type: 'rename_session', title: 'One' }, { opId: 'op' })
        },
        1: ({ send }) => {
          send({ type: 'rename_session', title: 'One' }, { opId: 'op' })
          send({ type: 'rename_session', title: 'Two' }, { opId: 'op' })
        },
      },
    })
    expect(only(played, 'session_info_change')).toHaveLength(1)
    expect(played.sent.map(({ result, failure }) => (failure instanceof Failure ? failure.code : result))).toEqual([
      {},
      {},
      'bad_request',
    ])
  })

  it('and a branch in a new file refuse what is not there', () => {
    const played = playSession({
      script: [],
      at: {
        0: ({ send }) => {
          send({ type: 'set_label', entryId: 'zzzzzzzz', label: 'x' })
          send({ type: 'branch_session', entryId: 'zzzzzzzz' })
          send({ type: 'branch_session', entryId: null, newFile: true })
        },
      },
    })
    expect(played.events).toEqual([])
    expect(played.sent.map(({ failure }) => failure instanceof Failure && failure.code)).toEqual(
      Array(3).fill('bad_request'),
    )
  })
})
