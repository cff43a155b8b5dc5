// Tests long sessions with a log: no overflow, no stall, no growth with the history.
// See docs/loop.md#34.
import { describe, expect, it } from 'vitest'
import { openSession } from '../../../lib/session/create/open-session.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { queueCapacity } from '../../../lib/operators/run/queues.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { faultyLog } from '../../support/faulty-log.ts'

function* longAnswer(count: number): Generator<AssistantDelta> {
  yield { type: 'text_start', contentIndex: 0 }
  for (let index = 0; index < count; index++) yield { type: 'text_delta', contentIndex: 0, text: 'ab ' }
  yield { type: 'done', stopReason: 'stop', usage: noUsage }
}

describe('a session', () => {
  const deltas = sampleSize(30_000, 1_000_000)
  it(
    `processes a message of ${deltas} deltas, and retains only the message [LOOP-34c]`,
    () => {
      const { session, reopen } = opened(scripted([longAnswer(deltas)]))
      let updates = 0
      session.events$.subscribe(({ type }) => {
        if (type === 'message_update') updates += 1
      })
      session.send({ type: 'prompt', text: 'Hi' }).subscribe()
      expect(updates).toBe(deltas + 1)
      const { entries, headEntryId, open } = session.state$.value
      expect(entries.get(headEntryId ?? '')?.message.content).toEqual([{ type: 'text', text: 'ab '.repeat(deltas) }])
      expect(open).toBeUndefined()
      expect([...reopen().records()]).toHaveLength(9)
    },
    sampleSize(60_000, 900_000),
  )

  it(
    'runs thousands of synchronous turns with a tool each [LOOP-34b]',
    () => {
      const turns = sampleSize(1_000, 20_000)
      let left = turns
      const provider = scripted(() => (--left > 0 ? { toolCalls: [{ name: 'a' }] } : 'done'))
      const { session } = opened(provider)
      session.send({ type: 'prompt', text: 'Hi' }).subscribe()
      expect(session.state$.value.lastEnd).toMatchObject({ totalTurns: turns, terminationReason: 'completed' })
      expect(session.state$.value.entries.size).toBe(2 * turns)
    },
    sampleSize(60_000, 900_000),
  )

  it(
    'delivers thousands of queued follow-ups, the log growing linearly [LOOP-34a]',
    () => {
      const inputs = sampleSize(1_000, queueCapacity)
      const { session, log } = opened(scripted(() => 'ok'))
      for (let count = 0; count < inputs; count++) session.send({ type: 'follow_up', text: 'x' }).subscribe()
      session.send({ type: 'prompt', text: 'Hi' }).subscribe()
      expect(session.state$.value.queue).toEqual([])
      expect(session.state$.value.lastEnd).toMatchObject({ totalTurns: inputs + 1 })
      // a run of one turn has 9 lines; each input adds one line in the queue and a turn of 7
      expect(log.head).toBe(9 + inputs * 8)
    },
    sampleSize(60_000, 900_000),
  )
})

function opened(provider: ReturnType<typeof scripted>) {
  const stored = faultyLog()
  const session = openSession({
    log: stored.log,
    settings: () => ({ model: scriptedModel, provider, system: '', thinkingLevel: 'off', tools: [fakeTool('a', 'x')] }),
    tools: { cwd: '/', env: {} },
    // model input is not measured here: the scripted model keeps a copy of each request
    options: { approve: 'auto', convertToLlm: () => [] },
  })
  return { ...stored, session }
}
