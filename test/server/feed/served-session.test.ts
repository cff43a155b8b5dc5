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
  /** How many lines were told when the call was over, and all that it had put behind itself; and a turn of the event loop later. */
  async function toldAfter(event: AgentEvent): Promise<number[]> {
    const session = fakeSession()
    const { broadcast } = servedSession({ session, notices: [] }, { channel: 1 })
    let lines = 0
    broadcast.join({ told: (batch) => void (lines += batch.lines.length), closed: () => undefined })
    session.record(event)
    await new Promise<void>((resolve) => {
      process.nextTick(resolve)
    })
    const atOnce = lines
    await nextTurn()
    return [atOnce, lines]
  }

  it('tells pieces behind the reading that brought them', async () => {
    expect(await toldAfter(piece)).toEqual([1, 1])
  })

  it('tells anything else in the next turn: the request that a prompt leads to leaves before its events', async () => {
    expect(await toldAfter({ type: 'turn_start', turnId: 'aaaaaaaa', turnIndex: 0 })).toEqual([0, 1])
  })
})
