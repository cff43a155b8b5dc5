// Tests commands that change queued inputs, the current branch, the title and labels.
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionControl } from '../../support/virtual-session.ts'
import { tools, only } from './change-session-scene.ts'

const types = ({ events }: PlayedSession): string[] => events.map(({ type }) => type)

describe('a queued input', () => {
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
  const output = ({ requests }: PlayedSession): unknown[] =>
    (requests.at(-1)?.messages ?? []).flatMap(({ role, content }) => (role === 'user' ? [content] : []))

  it('can be edited by its id until it is delivered [LOOP-21b, COMMAND-queue]', () => {
    const played = queued(({ send }, [id = '']) => void send({ type: 'edit_queued', queueId: id, text: 'better' }))
    expect(output(played)).toEqual(['Go', 's1', 'better', 'f2'])
    expect(only(played, 'queue_update')[3]).toMatchObject({ op: 'edit', queue: 'followUp', content: 'better' })
  })

  it('can be removed by its id [LOOP-21b, COMMAND-queue]', () => {
    const played = queued(({ send }, [, id = '']) => void send({ type: 'remove_queued', queueId: id }))
    expect(output(played)).toEqual(['Go', 's1', 'f1'])
  })

  it.each([
    ['followUp', 2, ['Go', 's1']],
    ['steering', 1, ['Go', 'f1', 'f2']],
    [undefined, 3, ['Go']],
  ] as const)('can be cleared: %s [LOOP-21b, COMMAND-queue]', (queue, cleared, left) => {
    const played = queued(({ send }) => void send({ type: 'clear_queue', ...(queue === undefined ? {} : { queue }) }))
    expect(output(played)).toEqual(left)
    expect(played.sent[3]).toMatchObject({ result: { cleared }, completed: true })
  })

  it('causes no event if an empty queue is cleared', () => {
    const played = playSession({ script: [], at: { 0: ({ send }) => void send({ type: 'clear_queue' }) } })
    expect(played.sent[0]).toMatchObject({ result: { cleared: 0 }, completed: true })
    expect(played.events).toEqual([])
  })

  it.each(['edit_queued', 'remove_queued'] as const)('that was delivered: %s is refused', (type) => {
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
  const notices = ({ requests }: PlayedSession): unknown[] =>
    (requests[2]?.messages ?? []).map(({ role, content }) => (role === 'user' ? content : role))

  it('continues from another entry, and keeps the left branch [EVENT-head, COMMAND-branch_session]', () => {
    const played = branched(([, answer = '']) => answer)
    expect(notices(played)).toEqual(['first', 'assistant', 'other'])
    expect(played.session.state$.value.entries.size).toBe(6)
    expect(types(played)).toContain('head_moved')
  })

  it('continues from before the first entry', () => {
    expect(notices(branched(() => null))).toEqual(['other'])
  })

  it('refuses an unknown entry [COMMAND-branch_session]', () => {
    const played = branched(() => 'zzzzzzzz')
    expect(played.sent[2]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/no entry "zzzzzzzz"/) as string,
    })
    expect(notices(played)).toEqual(['first', 'assistant', 'second', 'assistant', 'other'])
  })

  it('is refused during a run', () => {
    const played = playSession({
      script: [{ text: 'slow', delayMs: 100 }],
      prompt: 'first',
      at: { 10: ({ send }) => void send({ type: 'branch_session', entryId: null }) },
    })
    expect(played.sent[1]?.failure).toMatchObject({ code: 'busy' })
  })
})

describe('a change that cannot be written', () => {
  it('fails with `storage`', () => {
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
  it('are events that the state contains, with the earlier title [EVENT-changes, EVENT-label, COMMAND-rename_session]', () => {
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

  it('act once for one opId, and refuse another body', () => {
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

  it('and a branch in a new file refuse unknown entries', () => {
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
