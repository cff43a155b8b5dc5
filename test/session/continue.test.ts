// Tests `continue`: a run without a new message (docs/loop.md#25).
import { describe, expect, it } from 'vitest'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { UserMessage } from '../../lib/streams/messages/message.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { faultyLog } from '../support/faulty-log.ts'
import { faultsOfRun } from '../support/laws.ts'
import { playSession } from '../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../support/virtual-session.ts'

const refused = new Failure('provider_error', 'no key', { data: { kind: 'auth' } })
const later = { 100: ({ send }: { send: PlayedSession['send'] }) => void send({ type: 'continue' }) }

/** The events of the run that `continue` started. */
function lastRun({ records }: PlayedSession) {
  const runId = records.findLast(({ runId }) => runId !== undefined)?.runId
  return records.filter((record) => record.runId === runId).map(({ event }) => event)
}

function users({ requests }: PlayedSession): unknown[] {
  return (requests.at(-1)?.messages ?? [])
    .filter((message): message is UserMessage => message.role === 'user')
    .map(({ content }) => content)
}

describe('continue', () => {
  it('of an empty session is refused [LOOP-25a]', () => {
    const { sent, records } = playSession({ script: [], at: later })
    expect(sent[0]?.failure).toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/is empty.*send a prompt/) as string,
    })
    expect(records).toEqual([])
  })

  it('after an answer, with nothing queued, is refused [LOOP-25c]', () => {
    const { sent, requests } = playSession({ script: ['Hello'], prompt: 'Hi', at: later })
    expect(sent[1]?.failure).toMatchObject({ code: 'bad_request' })
    expect(requests).toHaveLength(1)
  })

  it('during a run is refused', () => {
    const scene: SessionScene = { script: [{ text: 'slow', delayMs: 200 }], prompt: 'Hi', at: later }
    expect(playSession(scene).sent[1]?.failure).toMatchObject({ code: 'busy' })
  })

  it('after an empty failed answer sends the request again, without a new message [LOOP-25b]', () => {
    const played = playSession({ script: [refused, 'Hello'], prompt: 'Hi', at: later })
    expect(played.sent[1]).toMatchObject({ result: { status: 'started' }, completed: true })
    expect(users(played)).toEqual(['Hi'])
    expect(lastRun(played).map(({ type }) => type)).not.toContain('queue_update')
    expect(played.notation()).toMatch(/SET AS TS ms\(asst\) mu me\(asst\) TE AE SET$/)
    expect(faultsOfRun(lastRun(played))).toEqual([])
  })

  it('names the entry from which it continues [EVENT-resumed]', () => {
    const played = playSession({ script: [refused, 'Hello'], prompt: 'Hi', at: later })
    const start = lastRun(played)[0]
    const failed = played.events.findLast((event) => event.type === 'message_end' && 'errorMessage' in event.message)
    expect(start).toMatchObject({ type: 'agent_start', resumedFrom: failed?.type === 'message_end' && failed.entryId })
  })

  it('after a tool’s result sends that to the model [LOOP-25b]', () => {
    const played = playSession({
      script: [{ toolCalls: [{ name: 'a', id: 'c1' }] }, 'Seen'],
      tools: [fakeTool('a', 'of a')],
      prompt: 'Hi',
      onRecord: ({ event }, { session }) => {
        if (event.type === 'tool_execution_end') void session.send({ type: 'abort' })
      },
      at: later,
    })
    expect(played.requests[1]?.messages.at(-1)).toMatchObject({ role: 'toolResult' })
    expect(lastRun(played).at(-2)).toMatchObject({ type: 'agent_end', terminationReason: 'completed' })
  })

  it.each([
    ['one-at-a-time', ['Hi', 's1'], ['Hi', 's1', 's2']],
    ['all', ['Hi', 's1', 's2'], ['Hi', 's1', 's2']],
  ] as const)('after an answer delivers one batch of steers, %s [LOOP-25c]', (mode, first, all) => {
    const played = playSession({
      script: ['Hello', 'one', 'two'],
      options: { queueModes: { steering: mode } },
      prompt: 'Hi',
      at: {
        50: ({ send }) => {
          send({ type: 'follow_up', text: 'f1' })
          send({ type: 'steer', text: 's1' })
          send({ type: 'steer', text: 's2' })
        },
        100: ({ send }) => {
          send({ type: 'clear_queue', queue: 'followUp' })
          send({ type: 'continue' })
        },
      },
    })
    expect(usersOf(played, 1)).toEqual(first)
    expect(users(played)).toEqual(all)
    expect(faultsOfRun(lastRun(played))).toEqual([])
  })

  it('after an answer delivers steers before follow-ups [LOOP-25c]', () => {
    const played = playSession({
      script: ['Hello', 'one', 'two'],
      prompt: 'Hi',
      at: {
        50: ({ send }) => {
          send({ type: 'follow_up', text: 'f1' })
          send({ type: 'steer', text: 's1' })
        },
        ...later,
      },
    })
    expect(usersOf(played, 1)).toEqual(['Hi', 's1'])
  })

  it('after an answer delivers follow-ups if no steer is queued [LOOP-25c]', () => {
    const played = playSession({
      script: ['Hello', 'one'],
      prompt: 'Hi',
      at: { 50: ({ send }) => void send({ type: 'follow_up', text: 'f1' }), ...later },
    })
    expect(users(played)).toEqual(['Hi', 'f1'])
    expect(played.session.state$.value.queue).toEqual([])
  })

  it('responds when its start is durable, and acts once for one opId [COMMAND-continue]', () => {
    const log = faultyLog()
    const played = playSession({
      log,
      script: [refused, 'Hello', 'never'],
      prompt: 'Hi',
      at: {
        100: ({ send }) => {
          log.disk.syncMs = 30
          for (let time = 0; time < 2; time++) send({ type: 'continue' }, { opId: 'again' })
        },
      },
    })
    const [, first, second] = played.sent
    expect(first).toMatchObject({ answeredAt: 130, result: { status: 'started', runId: expect.any(String) as string } })
    expect(second?.result).toEqual(first?.result)
    expect(played.requests).toHaveLength(2)
    expect(played.records.filter(({ opId }) => opId === 'again').map(({ event }) => event.type)).toEqual([
      'agent_start',
    ])
  })

  it('accepts limits, and refuses invalid ones', () => {
    const played = playSession({
      script: [refused, { toolCalls: [{ name: 'none' }] }, 'never'],
      prompt: 'Hi',
      at: {
        100: ({ send }) => {
          send({ type: 'continue', limits: { wallClockMs: 2 ** 31 } })
          send({ type: 'continue', limits: { turns: 1 } })
        },
      },
    })
    expect(played.sent[1]?.failure).toMatchObject({ code: 'bad_request' })
    expect(lastRun(played).at(-2)).toMatchObject({ terminationReason: 'stopped', stopRule: 'maxTurns' })
  })
})

function usersOf({ requests }: PlayedSession, index: number): unknown[] {
  return (requests[index]?.messages ?? []).flatMap((message) => (message.role === 'user' ? [message.content] : []))
}
