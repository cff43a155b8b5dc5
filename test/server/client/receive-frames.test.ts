// Tests how a client reads event frames: the kinds of deltas, unknown blocks and unknown events.
import { describe, expect, it } from 'vitest'
import { receiveFrames } from '../../../lib/server/client/receive-frames.ts'
import type { FrameReceiver } from '../../../lib/server/client/receive-frames.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const session = 'aaaaaaaaaaaa'
const entryId = 'abcdefg2'

function notices(receiver: FrameReceiver, event: { readonly type: string }): void {
  receiver.event({ type: 'event', session, event }, '')
}

function piece(receiver: FrameReceiver) {
  return receiver.delta({ type: 'delta', channel: 1, entryId, block: 0, offset: 3, text: 'x' })
}

describe('receiveFrames', () => {
  it('gives a piece the kind of its block’s start', () => {
    const receiver = receiveFrames(session)
    notices(receiver, { type: 'message_update', entryId, delta: { type: 'thinking_start', contentIndex: 0 } } as never)
    const delta = { type: 'thinking_delta', contentIndex: 0, offset: 3, text: 'x' }
    expect(piece(receiver)).toEqual({ type: 'event', event: { type: 'message_update', entryId, delta } })
  })

  it('skips a piece of a block whose start was not received', () => {
    expect(piece(receiveFrames(session))).toBe(undefined)
  })

  it('drops the blocks of a message that has ended', () => {
    const receiver = receiveFrames(session)
    notices(receiver, { type: 'message_update', entryId, delta: { type: 'text_start', contentIndex: 0 } } as never)
    const ended = { ...sampleEvents.message_end, entryId }
    notices(receiver, ended)
    expect(piece(receiver)).toBe(undefined)
  })

  it('skips events of unknown types [CLIENT-unknown]', () => {
    expect(receiveFrames(session).event({ type: 'event', session, event: { type: 'tomorrow' } }, '')).toBe(undefined)
  })
})
