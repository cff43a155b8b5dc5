// Tests `steer` and `follow_up`: queues, limits and delivery.
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { queueCapacity } from '../../../lib/operators/run/queues.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { playSession } from '../../support/virtual-session.ts'
import { slow, syncing } from './send-command-scene.ts'

describe('steer and follow_up', () => {
  it.each(['steer', 'follow_up'] as const)(
    '%s responds with its id when its line is durable [COMMAND-steer]',
    (type) => {
      const { sent, events } = playSession(
        syncing(3, { script: [slow, 'x'], prompt: 'Hi', at: { 50: ({ send }) => send({ type, text: 'more' }) } }),
      )
      const update = events.find((event) => event.type === 'queue_update')
      expect(sent[1]).toMatchObject({ result: { queueId: update?.queueId }, answeredAt: 53, completed: true })
    },
  )

  it('wait for the next run if none is active [COMMAND-steer]', () => {
    const { progress, requests, session } = playSession({
      script: ['one', 'two'],
      at: {
        0: ({ send }) => {
          send({ type: 'follow_up', text: 'later' })
          send({ type: 'steer', text: 'and mind this' })
        },
        10: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
      },
    })
    expect(progress()).toMatch(/^0:1queue_update 0:2queue_update 10:3AS/)
    expect(requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['and mind this', 'later'])
    expect(session.state$.value.queue).toEqual([])
  })

  it('are refused without an event if the queue is full [LOOP-21c]', () => {
    const { sent, events } = playSession({
      script: [],
      at: {
        0: ({ send }) => {
          for (let count = 0; count <= queueCapacity; count++) send({ type: 'steer', text: 'x' })
        },
      },
    })
    expect(sent.at(-1)?.failure).toMatchObject({ code: 'overloaded' })
    expect([events.length, sent.filter(({ completed }) => completed).length]).toEqual([queueCapacity, queueCapacity])
  })

  it('write their opId on their line', () => {
    const { records } = playSession({
      script: [],
      at: { 0: ({ send }) => send({ type: 'steer', text: 'x' }, { opId: 'op' }) },
    })
    expect(records.map(({ opId }) => opId)).toEqual(['op'])
  })

  it('stay queued if their run is aborted, and the next run delivers them [LOOP-21a]', () => {
    const { session, requests } = playSession({
      script: [slow, 'two', 'three'],
      prompt: 'Hi',
      at: {
        10: ({ send }) => send({ type: 'steer', text: 'first' }),
        20: ({ send }) => send({ type: 'abort' }),
        30: ({ session: { state$ }, send }) => {
          expect(state$.value.queue.map(({ content }) => content)).toEqual(['first'])
          send({ type: 'prompt', text: 'again' })
        },
      },
    })
    expect(requests[1]?.messages.map(({ content }) => content)).toEqual(['Hi', 'again', 'first'])
    expect(session.state$.value.queue).toEqual([])
  })
})

describe('the abort command', () => {
  it('responds when the run has settled [LOOP-24h, COMMAND-abort]', () => {
    const { sent, progress } = playSession(({ cold }) => ({
      script: [{ toolCalls: [{ name: 'a' }] }],
      tools: [fakeTool('a', ({ context }) => (context.signal.aborted ? 'no' : cold('50ms r', { r: textResult('x') })))],
      prompt: 'Hi',
      at: { 20: ({ send }) => send({ type: 'abort' }) },
    }))
    expect(sent[1]).toMatchObject({ result: {}, answeredAt: 50, completed: true })
    expect(progress()).toMatch(/50:\d+SET$/)
  })

  it('waits five seconds for a tool that received its signal and does not end [LOOP-24f]', () => {
    const { sent } = playSession({
      script: [{ toolCalls: [{ name: 'a' }] }],
      tools: [fakeTool('a', ({ context }) => (context.signal.aborted ? 'no' : NEVER))],
      prompt: 'Hi',
      at: { 20: ({ send }) => send({ type: 'abort' }) },
    })
    expect(sent[1]).toMatchObject({ result: {}, answeredAt: 5_020 })
  })

  it('responds at once without a run', () => {
    const { sent, records } = playSession({ script: [], at: { 5: ({ send }) => send({ type: 'abort' }) } })
    expect(sent[0]).toMatchObject({ result: {}, answeredAt: 5, completed: true })
    expect(records).toEqual([])
  })

  it('responds after agent_settled is emitted, also if it is sent within an event [LOOP-24h, COMMAND-abort]', () => {
    const notices: string[] = []
    const { sent } = playSession({
      script: [{ text: 'ab', pieceLength: 1, pieceDelayMs: 5 }],
      prompt: 'Hi',
      onRecord: ({ event }, { send, session }) => {
        notices.push(event.type)
        if (event.type !== 'message_update' || notices.filter((type) => type === 'message_update').length > 1) return
        for (const which of ['first', 'second']) {
          session.send({ type: 'abort' }).subscribe(() => notices.push(`${which} abort answered`))
        }
        send({ type: 'abort' })
      },
    })
    expect(sent[1]).toMatchObject({ result: {}, completed: true })
    expect(notices.slice(-4)).toEqual(['agent_end', 'agent_settled', 'first abort answered', 'second abort answered'])
  })

  it('ends the run as aborted once', () => {
    const { events } = playSession({
      script: [slow],
      prompt: 'Hi',
      at: {
        10: ({ send }) => {
          send({ type: 'abort' })
          send({ type: 'abort' })
        },
      },
    })
    expect(events.filter(({ type }) => type === 'agent_end')).toMatchObject([{ terminationReason: 'aborted' }])
  })

  it('does not abort a run that starts in the same call', () => {
    const { events } = playSession({
      script: [slow, 'two'],
      prompt: 'Hi',
      at: {
        10: ({ send }) => {
          send({ type: 'abort' })
          send({ type: 'prompt', text: 'again' })
        },
      },
    })
    expect(events.filter(({ type }) => type === 'agent_end')).toMatchObject([
      { terminationReason: 'aborted' },
      { terminationReason: 'completed' },
    ])
  })
})
