// Tests the exact sequence of a run's events, in virtual time (docs/loop.md#sequences).
import { describe, expect, it } from 'vitest'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'

function eventsNamed<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type): EventNamed<Type>[] {
  return events.filter((event): event is Extract<AgentEvent, EventNamed<Type>> => event.type === type)
}

describe('a plain prompt', () => {
  const played = virtualRun({ script: [{ text: 'Hello', usage: { input: 5, output: 2 } }], prompt: 'Hi' })

  it('is one turn, started before the prompt’s message [LOOP-1a, EVENT-settled]', () => {
    expect(played.notation()).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(played.end).toBe('complete')
  })

  it('sends one model request, with the prompt', () => {
    expect(played.requests.map(({ messages, system }) => [system, messages.map(({ content }) => content)])).toEqual([
      ['Be brief.', ['Hi']],
    ])
  })

  it('names model, tools and thinking level at its start, turns and usage at its end [LOOP-26a, EVENT-agent_start]', () => {
    const [start] = eventsNamed(played.events, 'agent_start')
    expect(start).toEqual({ type: 'agent_start', model: 'scripted/scripted', tools: [], thinkingLevel: 'off' })
    const [end] = eventsNamed(played.events, 'agent_end')
    expect(end).toMatchObject({ totalTurns: 1, terminationReason: 'completed', usage: { totalTokens: 7 } })
    expect(end).not.toHaveProperty('error')
    expect(end).not.toHaveProperty('stopRule')
  })

  it('has a chain of messages that start empty and end whole [EVENT-message, EVENT-once]', () => {
    const starts = eventsNamed(played.events, 'message_start')
    const ends = eventsNamed(played.events, 'message_end')
    expect(starts.map(({ message }) => message.content)).toEqual([[], []])
    expect(ends.map(({ message }) => message.content)).toEqual(['Hi', [{ type: 'text', text: 'Hello' }]])
    expect(ends.map(({ parentId }) => parentId)).toEqual([null, ends[0]?.entryId])
    expect(starts.map(({ entryId, parentId }) => [entryId, parentId])).toEqual(
      ends.map(({ entryId, parentId }) => [entryId, parentId]),
    )
    expect(played.messages).toEqual(ends.map(({ message }) => message))
  })

  it('ends its turn with the message’s id and usage [EVENT-turns]', () => {
    const [start] = eventsNamed(played.events, 'turn_start')
    const [end] = eventsNamed(played.events, 'turn_end')
    const [, answer] = eventsNamed(played.events, 'message_end')
    expect(start?.turnIndex).toBe(0)
    expect(end).toMatchObject({
      turnId: start?.turnId,
      messageEntryId: answer?.entryId,
      toolResultEntryIds: [],
      hasToolCalls: false,
      willContinue: false,
      usage: { input: 5, output: 2, totalTokens: 7 },
    })
  })
})

describe('a turn is one response and its tool batch', () => {
  const played = virtualRun({
    script: [
      { toolCalls: [{ name: 'a' }, { name: 'b' }], usage: { output: 1 } },
      { text: 'done', usage: { output: 2 } },
    ],
    tools: [fakeTool('a', 'of a'), fakeTool('b', 'of b')],
  })

  it('emits results before turn_end, and continues while there are calls [LOOP-2a, LOOP-2b]', () => {
    expect(played.notation()).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) xs xs xe xe ms(result) me(result) ms(result) me(result) TE ' +
        'TS ms(asst) mu me(asst) TE AE SET',
    )
  })

  it('names message and results, in call order, in turn_end [LOOP-2a, EVENT-turns]', () => {
    const [first, second] = eventsNamed(played.events, 'turn_end')
    const ends = eventsNamed(played.events, 'message_end')
    const results = ends.filter(({ message }) => message.role === 'toolResult')
    expect(results.map(({ message }) => message.role === 'toolResult' && message.toolCallId)).toEqual([
      'call_1_1',
      'call_1_2',
    ])
    expect(first).toMatchObject({
      messageEntryId: ends[1]?.entryId,
      toolResultEntryIds: results.map(({ entryId }) => entryId),
      hasToolCalls: true,
      willContinue: true,
    })
    expect(second).toMatchObject({ toolResultEntryIds: [], hasToolCalls: false, willContinue: false })
  })

  it('names the active tools at its start [EVENT-agent_start]', () => {
    expect(eventsNamed(played.events, 'agent_start')).toMatchObject([{ tools: ['a', 'b'] }])
  })

  it('chains the messages of all turns, each with one id from start to end [EVENT-message]', () => {
    const starts = eventsNamed(played.events, 'message_start').map(({ entryId, parentId }) => ({ entryId, parentId }))
    const ids = starts.map(({ entryId }) => entryId)
    expect(starts).toEqual(ids.map((entryId, index) => ({ entryId, parentId: ids[index - 1] ?? null })))
    expect(eventsNamed(played.events, 'message_end')).toMatchObject(starts)
  })

  it('sends the results to the model in the next request', () => {
    expect(played.requests[1]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'toolResult',
    ])
  })

  it('adds messages that waited for it before its prompt', () => {
    const emitted: string[] = []
    virtualRun({
      script: ['done'],
      ports: { betweenTurns: () => void emitted.push('between') },
      onEvent: ({ type }) => emitted.push(type),
    })
    expect(emitted.slice(0, 4)).toEqual(['agent_start', 'turn_start', 'between', 'message_start'])
  })

  it('numbers its turns and sums their usage [EVENT-turns]', () => {
    expect(eventsNamed(played.events, 'turn_start').map(({ turnIndex }) => turnIndex)).toEqual([0, 1])
    expect(eventsNamed(played.events, 'agent_end')[0]).toMatchObject({ totalTurns: 2, usage: { output: 3 } })
  })

  it('is followed by another turn while input is queued [LOOP-2b, EVENT-message]', () => {
    const queued = virtualRun({
      script: ['one', 'two'],
      onEvent: (event, control) => {
        if (event.type === 'agent_start') control.followUp('and then?')
      },
    })
    expect(queued.notation()).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) TE ' +
        'TS ms(user) me(user) queue_update ms(asst) mu me(asst) TE AE SET',
    )
    expect(eventsNamed(queued.events, 'turn_end').map(({ willContinue }) => willContinue)).toEqual([true, false])
    const ids = eventsNamed(queued.events, 'message_end').map(({ entryId }) => entryId)
    expect(eventsNamed(queued.events, 'message_end').map(({ parentId }) => parentId)).toEqual([
      null,
      ...ids.slice(0, -1),
    ])
  })
})

describe('a parallel batch', () => {
  it('starts all in call order, ends them as they finish, and emits results in call order [LOOP-3a]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: ['a', 'b', 'c'].map((name) => ({ name, id: name })) }, 'done'],
      tools: [
        fakeTool('a', cold('-----r', { r: textResult('of a') })),
        fakeTool('b', cold('-r', { r: textResult('of b') })),
        fakeTool('c', cold('---r', { r: textResult('of c') })),
      ],
    }))
    expect(played.timeline({ calls: true })).toMatch(
      /xs\(a\),xs\(b\),xs\(c\) 1:xe\(b\) 3:xe\(c\) 5:xe\(a\),ms\(a\),me\(a\),ms\(b\),me\(b\),ms\(c\),me\(c\),TE,TS,/,
    )
    expect(played.messages.slice(2, 5).map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'of a' }],
      [{ type: 'text', text: 'of b' }],
      [{ type: 'text', text: 'of c' }],
    ])
  })
})

describe('preparation', () => {
  it('ends a call that fails in preparation before the next one starts, and before any runs [LOOP-4b]', () => {
    const played = virtualRun({
      script: [{ toolCalls: ['none', 'a', 'gone'].map((name) => ({ name, id: name })) }, 'done'],
      tools: [fakeTool('a', 'of a')],
    })
    expect(played.notation({ calls: true })).toBe(
      'AS TS ms(user) me(user) ms(asst) mu me(asst) xs(none) xe(none) xs(a) xs(gone) xe(gone) xe(a) ' +
        'ms(none) me(none) ms(a) me(a) ms(gone) me(gone) TE TS ms(asst) mu me(asst) TE AE SET',
    )
  })

  it('runs hooks one after the other, and no call before the last hook has answered [LOOP-4a]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: ['a', 'b'].map((name) => ({ name, id: name })) }, 'done'],
      tools: [fakeTool('a', 'of a'), fakeTool('b', 'of b')],
      ports: { hooks: { beforeToolCall: () => cold('----(u|)', { u: undefined }) } },
    }))
    expect(played.timeline({ calls: true })).toMatch(/me\(asst\) 4:xs\(a\) 8:xs\(b\),xe\(a\),xe\(b\),ms\(a\)/)
  })
})

describe('a sequential batch', () => {
  it('emits start, end and result call by call [LOOP-5a]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: ['a', 'b'].map((name) => ({ name, id: name })) }, 'done'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') })),
        fakeTool('b', cold('-r', { r: textResult('of b') })),
      ],
      ports: { toolExecution: 'sequential' },
    }))
    expect(played.timeline({ calls: true })).toMatch(
      /xs\(a\) 3:xe\(a\),ms\(a\),me\(a\),xs\(b\) 4:xe\(b\),ms\(b\),me\(b\),TE/,
    )
  })
})

describe('scheduling by metadata', () => {
  it('overlaps shared reads, never clashing locks, and runs `mustSerial` alone [LOOP-6a, LOOP-6c]', () => {
    const played = virtualRun(({ cold }) => {
      const slow$ = cold('-----r', { r: textResult('x') })
      return {
        script: [{ toolCalls: ['r1', 'r2', 'w', 'free', 'alone'].map((name) => ({ name, id: name })) }, 'done'],
        tools: [
          fakeTool('r1', slow$, { locks: () => ({ read: ['file'] }) }),
          fakeTool('r2', slow$, { locks: () => ({ read: ['file'] }) }),
          fakeTool('w', slow$, { locks: () => ({ write: ['file'] }) }),
          fakeTool('free', slow$),
          fakeTool('alone', slow$, { mustSerial: true }),
        ],
      }
    })
    expect(played.timeline({ calls: true })).toMatch(
      / 5:xe\(r1\),xe\(r2\),xe\(free\) 10:xe\(w\) 15:xe\(alone\),ms\(r1\)/,
    )
  })
})
