// Tests the queues of one run (docs/loop.md#queues); test/session tests their commands.
import { describe, expect, it } from 'vitest'
import { queues } from '../../../lib/operators/run/queues.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { steering, followUp, requestTexts } from './queues-scene.ts'

describe('a steer while tools run', () => {
  const played = virtualRun(({ cold }) => ({
    script: [{ toolCalls: ['a', 'b'].map((name) => ({ name, id: name })) }, 'done'],
    tools: [
      fakeTool('a', cold('-r', { r: textResult('of a') })),
      fakeTool('b', cold('-----r', { r: textResult('of b') }), { mustSerial: true }),
    ],
    at: { 1: (control) => control.steer('stop that') },
  }))

  it('does not skip other calls of the batch [LOOP-16a]', () => {
    expect(played.messages.filter(({ role }) => role === 'toolResult').map(({ content }) => content)).toMatchObject([
      [{ text: 'of a' }],
      [{ text: 'of b' }],
    ])
  })

  it('is delivered after the turn’s end, after the next turn’s start, before the next request [LOOP-16a]', () => {
    expect(played.notation({ calls: true })).toMatch(
      /me\(b\) TE TS ms\(user\) me\(user\) queue_update ms\(asst\) mu me\(asst\) TE AE SET$/,
    )
    expect(requestTexts(played)).toEqual([['Go'], ['stop that']])
  })

  it('names the queued input that it delivers, and emits that it was taken [LOOP-21b]', () => {
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

describe('modes', () => {
  const two = [steering('one'), steering('two')]

  it('deliver two steers in a turn each with `one-at-a-time` [LOOP-17a]', () => {
    const played = virtualRun({ script: ['a', 'b', 'c'], ports: { queues: queues(two) } })
    expect(requestTexts(played)).toEqual([['Go', 'one'], ['two']])
  })

  it('deliver both in one turn with `all` [LOOP-17a]', () => {
    const played = virtualRun({ script: ['a', 'b'], ports: { queues: queues(two, { steering: 'all' }) } })
    expect(requestTexts(played)).toEqual([['Go', 'one', 'two']])
  })

  it('can be changed during a run [LOOP-17b]', () => {
    const waiting = queues([...two, steering('three')])
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: waiting },
      onEvent: (event) => {
        if (event.type === 'turn_end') waiting.setMode('steering', 'all')
      },
    })
    expect(requestTexts(played)).toEqual([
      ['Go', 'one'],
      ['two', 'three'],
    ])
    expect(waiting.mode('followUp')).toBe('one-at-a-time')
  })
})

describe('a steer queued before the prompt', () => {
  it('joins the first turn, after the prompt’s message [LOOP-18a]', () => {
    const played = virtualRun({ script: ['a'], ports: { queues: queues([steering('and mind this')]) } })
    expect(requestTexts(played)).toEqual([['Go', 'and mind this']])
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
    expect(requestTexts(played)).toEqual([['Go', 's1'], ['s2'], ['f1'], ['f2']])
    expect(played.notation().match(/\b(AS|AE|SET)\b/g)).toEqual(['AS', 'AE', 'SET'])
  })

  it('prefers a steer that comes when the follow-up’s turn has just started [LOOP-19a]', () => {
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: queues([followUp('f')]) },
      onEvent: (event, control) => {
        if (event.type === 'turn_start' && event.turnIndex === 1) control.steer('s')
      },
    })
    expect(requestTexts(played)).toEqual([['Go'], ['s'], ['f']])
    expect(faultsOfRun(played.events)).toEqual([])
  })

  it('takes all follow-ups at once in the mode `all` [LOOP-19b]', () => {
    const played = virtualRun({
      script: ['a', 'b'],
      ports: { queues: queues([followUp('f1'), followUp('f2')], { followUp: 'all' }) },
    })
    expect(requestTexts(played)).toEqual([['Go'], ['f1', 'f2']])
  })

  it('lets follow-ups wait while there are tool calls [LOOP-19b]', () => {
    const played = virtualRun({
      script: [{ toolCalls: [{ name: 'a' }] }, { toolCalls: [{ name: 'a' }] }, 'done', 'after'],
      tools: [fakeTool('a', 'x')],
      ports: { queues: queues([followUp('f')]) },
    })
    expect(requestTexts(played)).toEqual([['Go'], [], [], ['f']])
  })

  it('prefers a steer that comes with the last delta to a waiting follow-up [LOOP-19a]', () => {
    let isSteered = false
    const played = virtualRun({
      script: ['a', 'b', 'c'],
      ports: { queues: queues([followUp('f')]) },
      onEvent: (event, control) => {
        if (event.type !== 'message_update' || event.delta.type !== 'text_end' || isSteered) return
        isSteered = true
        control.steer('late')
      },
    })
    expect(requestTexts(played)).toEqual([['Go'], ['late'], ['f']])
  })
})

describe('a steer during a text-only answer', () => {
  it('extends the run by a turn [LOOP-20a]', () => {
    const played = virtualRun({
      script: [{ text: 'long', pieceLength: 1, pieceDelayMs: 10 }, 'second'],
      at: { 15: (control) => control.steer('shorter') },
    })
    expect(requestTexts(played)).toEqual([['Go'], ['shorter']])
    expect(played.notation().match(/TS/g)).toHaveLength(2)
  })

  it('extends the run also at the very end of the turn [LOOP-20a]', () => {
    const played = virtualRun({
      script: ['first', 'second'],
      onEvent: (event, control) => {
        const { content } = event.type === 'message_end' ? event.message : { content: '' }
        if (JSON.stringify(content).includes('first')) control.steer('one more')
      },
    })
    expect(requestTexts(played)).toEqual([['Go'], ['one more']])
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

  it('also if the run is stopped before its first request', () => {
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
