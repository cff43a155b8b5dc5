// LOOP.md "Queues", as far as they concern one run; what commands do with them is in test/session.
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { queues } from '../../../lib/operators/queues.ts'
import type { QueuedInput } from '../../../lib/streams/fold-session.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { textResult } from '../../../lib/streams/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

const steering = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'steering', content })
const followUp = (content: string): QueuedInput => ({ queueId: `id ${content}`, queue: 'followUp', content })

/** What the model was asked, request by request: the users' words that are new in it. */
function asked(played: VirtualRun): string[][] {
  let known = 0
  return played.requests.map(({ messages }) => {
    const fresh = messages.slice(known)
    known = messages.length
    return fresh.flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : []))
  })
}

describe('a steer while tools run', () => {
  const played = virtualRun(({ cold }) => ({
    script: [{ toolCalls: ['a', 'b'].map((name) => ({ name, id: name })) }, 'done'],
    tools: [
      fakeTool('a', cold('-r', { r: textResult('of a') })),
      fakeTool('b', cold('-----r', { r: textResult('of b') }), { mustSerial: true }),
    ],
    at: { 1: (control) => control.steer('stop that') },
  }))

  it('skips no sibling [LOOP-16a]', () => {
    expect(played.messages.filter(({ role }) => role === 'toolResult').map(({ content }) => content)).toMatchObject([
      [{ text: 'of a' }],
      [{ text: 'of b' }],
    ])
  })

  it('is delivered after the turn’s end, after the next turn’s start, before the next request [LOOP-16a]', () => {
    expect(played.notation({ calls: true })).toMatch(
      /me\(b\) TE TS ms\(user\) me\(user\) queue_update ms\(asst\) mu me\(asst\) TE AE SET$/,
    )
    expect(asked(played)).toEqual([['Go'], ['stop that']])
  })

  it('names the queued input that it delivers, and tells that it was taken [LOOP-21b]', () => {
    const [, delivery] = played.events.filter(
      (event) => event.type === 'message_start' && event.message.role === 'user',
    )
    const update = played.events.find((event) => event.type === 'queue_update')
    expect(delivery).toHaveProperty('queueId')
    expect(update).toMatchObject({
      queue: 'steering',
      op: 'take',
      queueId: delivery?.type === 'message_start' && delivery.queueId,
    })
  })
})

describe("a steer while tools run, with steering: 'interrupt'", () => {
  const skipped = 'Skipped: the user sent a new message.'
  const interrupt = { steering: 'interrupt' } as const
  const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, id: name })) })
  const locks = (name: string) => () => ({ write: [name] })

  /** What each call was answered, and that every call has one start, one end and one result. */
  function results(played: VirtualRun): Record<string, unknown> {
    expect([played.end, faultsOfRun(played.events)]).toEqual(['complete', []])
    return Object.fromEntries(
      played.messages.flatMap((message) => {
        if (message.role !== 'toolResult') return []
        const [text] = message.content
        const said = text?.type === 'text' ? text.text : ''
        return [[message.toolCallId, message.isError ? `! ${said}` : said]]
      }),
    )
  }

  it('skips what waits for a lock; what runs comes to its end; the steer is delivered in the next turn [LOOP-16b]', () => {
    const waiting = fakeTool('b', 'never', { locks: locks('x') })
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b', 'c'), 'done'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { locks: locks('x') }),
        waiting,
        fakeTool('c', cold('-----r', { r: textResult('of c') })),
      ],
      ports: interrupt,
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: `! ${skipped}`, c: 'of c' })
    expect(waiting.calls).toEqual([])
    expect(played.timeline({ calls: true })).toMatch(
      /xs\(a\),xs\(b\),xs\(c\) 3:xe\(a\),xe\(b\) 5:xe\(c\),ms\(a\),me\(a\),ms\(b\),me\(b\),ms\(c\),me\(c\),TE,TS,ms\(user\)/,
    )
    expect(asked(played)).toEqual([['Go'], ['stop that']])
  })

  it('skips the rest of a batch that runs one by one, each with its start, end and result [LOOP-16b]', () => {
    const rest = [fakeTool('b', 'never'), fakeTool('c', 'never')]
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b', 'c'), 'done'],
      tools: [fakeTool('a', cold('---r', { r: textResult('of a') })), ...rest],
      ports: { ...interrupt, toolExecution: 'sequential' },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: `! ${skipped}`, c: `! ${skipped}` })
    expect(rest.flatMap((tool) => tool.calls)).toEqual([])
    expect(played.notation({ calls: true })).toContain(
      'xe(a) ms(a) me(a) xs(b) xe(b) ms(b) me(b) xs(c) xe(c) ms(c) me(c) TE',
    )
  })

  it.each(['parallel', 'sequential'] as const)(
    'skips the call whose hook is being asked when it comes, and asks about no other: %s',
    (toolExecution) => {
      const asked: string[] = []
      const played = virtualRun(({ cold }) => ({
        script: [calls('a', 'b'), 'done'],
        tools: [fakeTool('a', 'never'), fakeTool('b', 'never')],
        ports: {
          ...interrupt,
          toolExecution,
          hooks: {
            beforeToolCall: ({ call }) => {
              asked.push(call.id)
              return cold('---(u|)', { u: undefined })
            },
          },
        },
        at: { 1: (control) => control.steer('stop that') },
      }))
      expect([results(played), asked]).toEqual([{ a: `! ${skipped}`, b: `! ${skipped}` }, ['a']])
    },
  )

  it('keeps what the hook said where it blocks the call that is being asked about', () => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a'), 'done'],
      tools: [fakeTool('a', 'never')],
      ports: { ...interrupt, hooks: { beforeToolCall: () => cold('---b', { b: { block: { reason: 'not that' } } }) } },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: '! not that' })
  })

  it('skips all calls of an answer during which it came', () => {
    const tools = [fakeTool('a', 'never'), fakeTool('b', 'never')]
    const played = virtualRun({
      script: [{ ...calls('a', 'b'), text: 'long', pieceLength: 1, pieceDelayMs: 10 }, 'done'],
      tools,
      ports: interrupt,
      at: { 15: (control) => control.steer('stop that') },
    })
    expect(results(played)).toEqual({ a: `! ${skipped}`, b: `! ${skipped}` })
    expect(tools.flatMap((tool) => tool.calls)).toEqual([])
    expect(asked(played)).toEqual([['Go'], ['stop that']])
  })

  it('skips what has not started when it comes from within an event of the batch', () => {
    for (const type of ['tool_execution_start', 'tool_execution_end'] as const) {
      const played = virtualRun({
        script: [calls('a', 'b'), 'done'],
        tools: [fakeTool('a', 'of a'), fakeTool('b', 'of b')],
        ports: interrupt,
        onEvent: (event, control) => {
          if (event.type === type && event.toolCallId === 'a') control.steer('stop that')
        },
      })
      const started = type === 'tool_execution_end' ? 'of a' : `! ${skipped}`
      expect(results(played)).toEqual({ a: started, b: `! ${skipped}` })
    }
  })

  it('says of calls that an abort kept from running that they were aborted, also where a steer waits', () => {
    const played = virtualRun({
      script: [calls('a', 'b'), 'never'],
      tools: [fakeTool('a', 'never'), fakeTool('b', 'never')],
      ports: interrupt,
      onEvent: (event, control) => {
        if (event.type !== 'message_end' || event.message.role !== 'assistant') return
        control.steer('stop that')
        control.stop()
      },
    })
    expect(results(played)).toEqual({ a: '! Aborted', b: '! Aborted' })
  })

  it('never skips a call that has started [LOOP-16b]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done'],
      tools: ['a', 'b'].map((name) => fakeTool(name, cold('-----r', { r: textResult(`of ${name}`) }))),
      ports: interrupt,
      at: { 0: (control) => control.steer('early'), 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
  })

  it('hears a second steer, which waits for its turn, before anything more is done', () => {
    const played = virtualRun({
      script: [calls('a'), { toolCalls: [{ name: 'a', id: 'a2' }] }, 'done'],
      tools: [fakeTool('a', 'of a')],
      ports: { ...interrupt, queues: queues([steering('one'), steering('two')]) },
    })
    expect(results(played)).toEqual({ a: `! ${skipped}`, a2: 'of a' })
    expect(asked(played)).toEqual([['Go', 'one'], ['two'], []])
  })

  it('lets follow-ups wait, and a steer that was withdrawn skip nothing', () => {
    const waiting = queues([followUp('later')])
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done', 'after'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { mustSerial: true }),
        fakeTool('b', 'of b', { mustSerial: true }),
      ],
      ports: { ...interrupt, queues: waiting },
      at: { 1: (control) => control.steer('stop that'), 2: () => waiting.clear('steering') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
    expect(asked(played)).toEqual([['Go'], [], ['later']])
  })

  it('leaves an abort the stronger one: what it kept from starting was aborted', () => {
    const played = virtualRun({
      script: [calls('a', 'b')],
      tools: [fakeTool('a', NEVER, { mustSerial: true }), fakeTool('b', 'never', { mustSerial: true })],
      ports: interrupt,
      at: { 1: (control) => control.steer('stop that'), 2: (control) => control.stop() },
    })
    expect(results(played)).toEqual({ a: '! Aborted', b: '! Aborted' })
  })

  it('leaves a cut answer its own reason', () => {
    const played = virtualRun({
      script: [{ ...calls('a'), stopReason: 'length' }, 'done'],
      tools: [fakeTool('a', 'never')],
      ports: interrupt,
      onEvent: (event, control) => {
        if (event.type === 'message_update') control.steer('stop that')
      },
    })
    expect(String(results(played)['a'])).toMatch(/output limit/)
  })

  it.each([[undefined], ['wait' as const]])('skips nothing where steering is %s', (mode) => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { mustSerial: true }),
        fakeTool('b', 'of b', { mustSerial: true }),
      ],
      ports: mode === undefined ? {} : { steering: mode },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
  })
})

describe('modes', () => {
  const two = [steering('one'), steering('two')]

  it('give two steers a turn each, one at a time [LOOP-17a]', () => {
    const played = virtualRun({ script: ['a', 'b', 'c'], ports: { queues: queues(two) } })
    expect(asked(played)).toEqual([['Go', 'one'], ['two']])
  })

  it('give both in one turn in the mode `all` [LOOP-17a]', () => {
    const played = virtualRun({ script: ['a', 'b'], ports: { queues: queues(two, { steering: 'all' }) } })
    expect(asked(played)).toEqual([['Go', 'one', 'two']])
  })

  it('can be changed while the run is on [LOOP-17b]', () => {
    const waiting = queues([...two, steering('three')])
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: waiting },
      onEvent: (event) => {
        if (event.type === 'turn_end') waiting.setMode('steering', 'all')
      },
    })
    expect(asked(played)).toEqual([
      ['Go', 'one'],
      ['two', 'three'],
    ])
  })
})

describe('a steer queued before the prompt', () => {
  it('joins the first turn, after the prompt’s message [LOOP-18a]', () => {
    const played = virtualRun({ script: ['a'], ports: { queues: queues([steering('and mind this')]) } })
    expect(asked(played)).toEqual([['Go', 'and mind this']])
    expect(played.notation()).toBe(
      'AS TS ms(user) me(user) ms(user) me(user) queue_update ms(asst) mu me(asst) TE AE SET',
    )
  })
})

describe('steering drains before follow-ups', () => {
  it('takes follow-ups one by one at each natural stop, within one run [LOOP-19b]', () => {
    const played = virtualRun({
      script: ['a', 'b', 'c', 'd', 'e'],
      ports: { queues: queues([followUp('f1'), followUp('f2'), steering('s1'), steering('s2')]) },
    })
    expect(asked(played)).toEqual([['Go', 's1'], ['s2'], ['f1'], ['f2']])
    expect(played.notation().match(/\b(AS|AE|SET)\b/g)).toEqual(['AS', 'AE', 'SET'])
  })

  it('takes a steer first that comes when the follow-up’s turn has just begun [LOOP-19a]', () => {
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: queues([followUp('f')]) },
      onEvent: (event, control) => {
        if (event.type === 'turn_start' && event.turnIndex === 1) control.steer('s')
      },
    })
    expect(asked(played)).toEqual([['Go'], ['s'], ['f']])
    expect(faultsOfRun(played.events)).toEqual([])
  })

  it('takes all follow-ups at once in the mode `all` [LOOP-19b]', () => {
    const played = virtualRun({
      script: ['a', 'b'],
      ports: { queues: queues([followUp('f1'), followUp('f2')], { followUp: 'all' }) },
    })
    expect(asked(played)).toEqual([['Go'], ['f1', 'f2']])
  })

  it('leaves follow-ups waiting while there are tool calls [LOOP-19b]', () => {
    const played = virtualRun({
      script: [{ toolCalls: [{ name: 'a' }] }, { toolCalls: [{ name: 'a' }] }, 'done', 'after'],
      tools: [fakeTool('a', 'x')],
      ports: { queues: queues([followUp('f')]) },
    })
    expect(asked(played)).toEqual([['Go'], [], [], ['f']])
  })

  it('prefers a steer that comes with the last delta to the follow-up that waits [LOOP-19a]', () => {
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: queues([followUp('f')]) },
      onEvent: (event, control) => {
        if (event.type === 'turn_start' && event.turnIndex === 0) control.steer('late')
      },
    })
    expect(asked(played)).toEqual([['Go', 'late'], ['f']])
  })
})

describe('a steer during a text-only answer', () => {
  it('extends the run by a turn [LOOP-20a]', () => {
    const played = virtualRun({
      script: [{ text: 'long', pieceLength: 1, pieceDelayMs: 10 }, 'second'],
      at: { 15: (control) => control.steer('shorter') },
    })
    expect(asked(played)).toEqual([['Go'], ['shorter']])
    expect(played.notation().match(/TS/g)).toHaveLength(2)
  })

  it('extends it still at the very end of the turn [LOOP-20a]', () => {
    const played = virtualRun({
      script: ['first', 'second'],
      onEvent: (event, control) => {
        const { content } = event.type === 'message_end' ? event.message : { content: '' }
        if (JSON.stringify(content).includes('first')) control.steer('one more')
      },
    })
    expect(asked(played)).toEqual([['Go'], ['one more']])
  })
})

describe('hard exits leave the queues as they are [LOOP-21a]', () => {
  it('after an abort', () => {
    const waiting = queues([steering('s1'), steering('s2'), followUp('f')])
    virtualRun({
      script: [{ text: 'long', delayMs: 100 }],
      ports: { queues: waiting },
      at: { 50: (control) => control.stop() },
    })
    expect(waiting.waiting().map(({ content }) => content)).toEqual(['s2', 'f'])
  })

  it('after a provider’s failure', () => {
    const waiting = queues([followUp('f')])
    const failure = new Failure('provider_error', 'no key', { data: { kind: 'auth' } })
    const played = virtualRun({ script: [failure, 'never'], ports: { queues: waiting } })
    expect([waiting.waiting().length, played.requests.length]).toEqual([1, 1])
  })

  it('takes nothing where the run is stopped before its first request', () => {
    const waiting = queues([steering('s')], { steering: 'all' })
    const played = virtualRun({
      script: ['never'],
      ports: { queues: waiting },
      onEvent: (event, control) => {
        if (event.type === 'agent_start') control.stop()
      },
    })
    expect([waiting.waiting().length, played.requests.length]).toEqual([1, 0])
    expect(played.notation()).toBe('AS TS ms(user) me(user) TE AE SET')
  })
})
