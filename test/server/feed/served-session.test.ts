// Tests when `servedSession` emits: deltas after the read, other records in the next turn.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeSession } from '../../support/fake-session.ts'

const piece: AgentEvent = {
  type: 'message_update',
  entryId: 'aaaaaaaa',
  delta: { type: 'text_delta', contentIndex: 0, offset: 3, text: 'x' },
}

describe('servedSession', () => {
  /** The number of lines emitted after the call and its next ticks, and one turn of the event loop later. */
  async function emittedAfter(event: AgentEvent): Promise<number[]> {
    const session = fakeSession()
    const { batcher } = servedSession({ session, notices: [] }, { channel: 1 })
    let lines = 0
    batcher.batches$.subscribe((batch) => void (lines += batch.lines.length))
    session.record(event)
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    const atOnce = lines
    await nextTurn()
    return [atOnce, lines]
  }

  it('emits pieces after the read that brought them', async () => {
    expect(await emittedAfter(piece)).toEqual([1, 1])
  })

  it('emits any other record in the next turn, so that a prompt’s request leaves before its events', async () => {
    expect(await emittedAfter({ type: 'turn_start', turnId: 'aaaaaaaa', turnIndex: 0 })).toEqual([0, 1])
  })
})
