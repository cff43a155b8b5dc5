// Tests that a context transform gets the session, the run and the turn of its request.
import { describe, expect, it } from 'vitest'
import { tapContext } from '../../../lib/operators/context/change-messages.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'

describe('the context of a transform', () => {
  it('names session, run and turn', () => {
    const origins: unknown[] = []
    const session = createSession({
      model: { model: scriptedModel, provider: scripted([{ toolCalls: [{ name: 'look' }] }, 'Noon.', 'Yes.']) },
      tools: [fakeTool('look', '12:00')],
      env: {},
      approve: 'auto',
      transformContext: tapContext(({ sessionId, runId, turnIndex }) => origins.push({ sessionId, runId, turnIndex })),
    })
    const records: SessionRecord[] = []
    session.records$.subscribe((record) => records.push(record))
    for (const text of ['What time is it?', 'Really?']) session.send({ type: 'prompt', text }).subscribe()
    const [first, second] = records.filter(({ event }) => event.type === 'agent_start').map(({ runId }) => runId)
    expect(origins).toEqual([
      { sessionId: session.id, runId: first, turnIndex: 0 },
      { sessionId: session.id, runId: first, turnIndex: 1 },
      { sessionId: session.id, runId: second, turnIndex: 0 },
    ])
    expect(first).not.toBe(second)
    session.close().subscribe()
  })

  it('has the same turn for a request that a fallback repeats, and no run without a session', () => {
    const origins: unknown[] = []
    virtualRun({
      script: [new Failure('provider_error', 'busy', { data: { kind: 'auth' } })],
      fallbacks: [{ script: ['Hi'] }],
      ports: {
        transformContext: tapContext((context) => origins.push([context.turnIndex, 'runId' in context])),
      },
    })
    expect(origins).toEqual([
      [0, false],
      [0, false],
    ])
  })
})
