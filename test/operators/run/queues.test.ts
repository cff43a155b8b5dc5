// Tests the queues of inputs that wait for the run.
import { describe, expect, it } from 'vitest'
import { queueCapacity, queues, takeEvent } from '../../../lib/operators/run/queues.ts'
import type { QueuedInput } from '../../../lib/streams/state/fold-session.ts'

const steer = (queueId: string): QueuedInput => ({ queueId, queue: 'steering', content: `say ${queueId}` })
const follow = (queueId: string): QueuedInput => ({ queueId, queue: 'followUp', content: `say ${queueId}` })
const ids = (inputs: readonly QueuedInput[]) => inputs.map(({ queueId }) => queueId)

describe('queues', () => {
  it('return the event of an added input, with its id [EVENT-queue_update]', () => {
    expect(queues().add(steer('a'))).toEqual({
      type: 'queue_update',
      queue: 'steering',
      op: 'add',
      queueId: 'a',
      content: 'say a',
    })
  })

  it('return one input at a time, oldest first', () => {
    const waiting = queues()
    for (const id of ['a', 'b']) waiting.add(steer(id))
    expect([ids(waiting.take('steering')), waiting.size('steering')]).toEqual([['a'], 1])
    expect([ids(waiting.take('steering')), ids(waiting.take('steering'))]).toEqual([['b'], []])
  })

  it('keep steering and follow-ups separate', () => {
    const waiting = queues()
    waiting.add(follow('f'))
    waiting.add(steer('s'))
    expect([waiting.size('steering'), waiting.size('followUp')]).toEqual([1, 1])
    expect(ids(waiting.waiting())).toEqual(['s', 'f'])
    expect(ids(waiting.take('followUp'))).toEqual(['f'])
    expect(ids(waiting.waiting())).toEqual(['s'])
  })

  it('return all waiting inputs of a queue in the mode `all` [LOOP-17b]', () => {
    const waiting = queues([], { steering: 'all' })
    for (const id of ['a', 'b']) waiting.add(steer(id))
    for (const id of ['c', 'd']) waiting.add(follow(id))
    expect([ids(waiting.take('steering')), ids(waiting.take('followUp'))]).toEqual([['a', 'b'], ['c']])
  })

  it('change their mode while inputs wait', () => {
    const waiting = queues()
    for (const id of ['a', 'b', 'c']) waiting.add(steer(id))
    expect(ids(waiting.take('steering'))).toEqual(['a'])
    waiting.setMode('steering', 'all')
    expect(ids(waiting.take('steering'))).toEqual(['b', 'c'])
  })

  it('start with the inputs of a reopened session', () => {
    const waiting = queues([follow('a'), steer('b')])
    expect([ids(waiting.take('steering')), ids(waiting.take('followUp'))]).toEqual([['b'], ['a']])
  })

  it('edit, remove and clear waiting inputs in place and in their own queue [EVENT-queue_update]', () => {
    const waiting = queues([steer('a'), follow('b'), steer('c')])
    const emitted = [
      waiting.edit('a', 'new'),
      waiting.remove('c'),
      waiting.edit('b', 'other'),
      waiting.clear('steering'),
    ]
    expect(emitted).toEqual([
      { type: 'queue_update', queue: 'steering', op: 'edit', queueId: 'a', content: 'new' },
      { type: 'queue_update', queue: 'steering', op: 'remove', queueId: 'c' },
      { type: 'queue_update', queue: 'followUp', op: 'edit', queueId: 'b', content: 'other' },
      { type: 'queue_update', queue: 'steering', op: 'clear' },
    ])
    expect(waiting.waiting()).toEqual([{ ...follow('b'), content: 'other' }])
  })

  it('edit and remove one of several, and leave the others in place', () => {
    const waiting = queues([steer('a'), steer('b'), steer('c')])
    waiting.edit('b', 'new')
    expect(waiting.waiting()).toEqual([steer('a'), { ...steer('b'), content: 'new' }, steer('c')])
    waiting.remove('b')
    expect(ids(waiting.waiting())).toEqual(['a', 'c'])
  })

  it('throw bad_request for an input that no longer waits', () => {
    const waiting = queues([steer('a')])
    waiting.take('steering')
    for (const change of [() => waiting.edit('a', 'new'), () => waiting.remove('a')]) {
      expect(change).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
      expect(change).toThrow('No queued input has the id "a"')
    }
  })

  it('hold 10,000 inputs and throw overloaded for the next [LOOP-21c]', () => {
    const waiting = queues()
    for (let count = 0; count < queueCapacity; count++) waiting.add(steer(`${count}`))
    expect(queueCapacity).toBe(10_000)
    expect(() => waiting.add(steer('x'))).toThrow(expect.objectContaining({ code: 'overloaded' }) as Error)
    expect(() => waiting.add(steer('x'))).toThrow(/steering queue holds 10000 inputs/)
    waiting.add(follow('other queue'))
    waiting.take('steering')
    expect(waiting.add(steer('x'))).toMatchObject({ op: 'add' })
  })

  it('match by id, never by text [LOOP-21b, EVENT-queue_update]', () => {
    const waiting = queues()
    waiting.add({ ...steer('a'), content: 'same' })
    waiting.add({ ...steer('b'), content: 'same' })
    const [first] = waiting.take('steering')
    if (first === undefined) throw new Error('nothing was taken')
    expect(takeEvent(first)).toEqual({ type: 'queue_update', queue: 'steering', op: 'take', queueId: 'a' })
  })
})
