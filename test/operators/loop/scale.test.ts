// Tests that one long run has no stack overflow, stall or growing cost (docs/loop.md#34).
import { describe, expect, it } from 'vitest'
import { run } from '../../../lib/operators/run/run.ts'
import { queues } from '../../../lib/operators/run/queues.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { sampleSize } from '../../support/sample-size.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { scenePorts } from '../../../lib/testing/run-scene.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'

/** Runs a scene in real time, synchronously, and counts its events by type; it stores no event. */
function countEvents(scene: RunScene) {
  const { ports } = scenePorts(scene)
  const counts = new Map<AgentEvent['type'], number>()
  let last: AgentEvent | undefined
  let end = 'open'
  run({ prompt: { content: 'Go' }, ports, stop: createStopSwitch(), onSettled: () => undefined }).subscribe({
    next: (event) => {
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
      if (event.type === 'agent_end') last = event
    },
    complete: () => (end = 'complete'),
  })
  return { counts, end, agentEnd: last, ports }
}

const answer: AssistantDelta[] = [
  { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'a' },
  { type: 'toolcall_end', contentIndex: 0, arguments: {} },
  { type: 'done', stopReason: 'toolUse', usage: noUsage },
]

const inputs = sampleSize(2_000, 10_000)
const pieces = sampleSize(80_000, 1_000_000)

describe('size', () => {
  it(
    'completes thousands of synchronous turns [LOOP-34b]',
    () => {
      const turns = sampleSize(2_000, 50_000)
      let left = turns
      const { counts, end } = countEvents({
        script: () => (--left > 0 ? answer : 'done'),
        tools: [fakeTool('a', 'x')],
        // an empty transcript: this test does not measure it
        ports: { transformContext: (context$) => context$, convertToLlm: () => [] },
      })
      expect([end, counts.get('turn_end'), counts.get('agent_settled')]).toEqual(['complete', turns, 1])
    },
    sampleSize(60_000, 900_000),
  )

  it(
    `delivers ${inputs} follow-ups in one run [LOOP-34a]`,
    () => {
      const waiting = queues(
        Array.from({ length: inputs }, (_, index) => ({
          queueId: `${index}`,
          queue: 'followUp' as const,
          content: 'x',
        })),
      )
      const { counts, end } = countEvents({ script: () => 'ok', ports: { queues: waiting, convertToLlm: () => [] } })
      expect([end, counts.get('turn_end'), waiting.size('followUp')]).toEqual(['complete', inputs + 1, 0])
    },
    sampleSize(60_000, 900_000),
  )

  it(
    `assembles a message of ${pieces} deltas [LOOP-34c]`,
    () => {
      function* deltas(): Generator<AssistantDelta> {
        yield { type: 'text_start', contentIndex: 0 }
        for (let count = 0; count < pieces; count++) yield { type: 'text_delta', contentIndex: 0, text: 'ab ' }
        yield { type: 'done', stopReason: 'stop', usage: noUsage }
      }
      const { counts, end, ports } = countEvents({ script: [deltas()] })
      expect([end, counts.get('message_update')]).toEqual(['complete', pieces + 1])
      const { content } = ports.conversation.messages[1] ?? {}
      expect(content).toEqual([{ type: 'text', text: 'ab '.repeat(pieces) }])
    },
    sampleSize(60_000, 900_000),
  )
})
