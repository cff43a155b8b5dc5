// Tests when `servedSession` emits: deltas after the read, other records in the next turn.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeModel, fakeSession } from '../../support/fake-session.ts'

const frame = (seq: number): string => `{"v":1,"type":"event","session":"aaaaaaaaaaaa","seq":${seq}}`
const settled = { type: 'agent_settled' } as const

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

  it('has in `opened` the session with its present model, and copies of its notices', () => {
    const session = fakeSession()
    const notice = { type: 'warning', code: 'x', message: 'old', recoverable: true } as const
    const notices = [notice]
    const served = servedSession({ session, notices }, { channel: 1 })
    const { opened } = served
    notices.pop()
    expect(opened).toStrictEqual({ session: session.id, header: session.header, model: fakeModel, notices: [notice] })
    Object.assign(session, { model: { ...fakeModel, id: 'other' } })
    expect(served.opened).toMatchObject({ model: { id: 'other' }, notices: [] })
    expect(served.isOutdated()).toBe(false)
  })

  it('has in `opened` why the session is read-only', () => {
    const readOnly = new Failure('read_only', 'damaged')
    const { opened } = servedSession({ session: fakeSession(), notices: [], readOnly }, { channel: 1 })
    expect(opened.readOnly).toMatchObject({ code: 'read_only', message: 'damaged' })
  })

  it('throws if line 1 of the log is no header', () => {
    const session = { ...fakeSession(), headerLine: '{"type":"session"}' }
    expect(() => servedSession({ session, notices: [] }, { channel: 1 })).toThrow('line 1 that is not a header')
  })

  it('makes the frame of a record once for all clients, and the same from the log', () => {
    const session = fakeSession()
    const served = servedSession({ session, notices: [] }, { channel: 7 })
    let reads = 0
    const recordOf = (line: string) => ({
      event: settled,
      at: 1,
      seq: 1,
      get line() {
        reads += 1
        return line
      },
    })
    const [one, two] = [recordOf('{"seq":1}'), recordOf('{"seq":2}')]
    expect([served.frameOf(one), served.frameOf(one), reads]).toEqual([frame(1), frame(1), 1])
    expect([served.frameOf(two), served.frameOf(one)]).toEqual([frame(2), frame(1)])
    expect(served.logFrames.frameOf(two).frame).toBe(frame(2))
  })

  it('stops no run with its last client, unless the options ask for it', () => {
    const session = fakeSession()
    const client = {}
    for (const more of [{}, { endWithLastClient: true }]) {
      const { presence } = servedSession({ session, notices: [] }, { channel: 1, ...more })
      presence.join(client)
      presence.leave(client)
    }
    expect(session.stopped).toEqual(['client_disconnected'])
  })
})
