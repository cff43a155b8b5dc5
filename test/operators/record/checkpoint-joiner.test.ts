// Tests when the checkpoint joiner writes the deltas of a message, and how it joins them.
import { timer } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  checkpointDelayMs,
  createCheckpointJoiner,
  checkpointLength,
} from '../../../lib/operators/record/checkpoint-joiner.ts'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { foldMessage } from '../../../lib/streams/messages/fold-message.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant } from '../../streams/events/samples.ts'

const text = (offset: number, piece: string, contentIndex = 0): MessageDelta => ({
  type: 'text_delta',
  contentIndex,
  offset,
  text: piece,
})
const update = (delta: MessageDelta): EventNamed<'message_update'> => ({
  type: 'message_update',
  entryId: 'entry',
  delta,
})

/** Adds each delta at its virtual millisecond, and returns each written delta with its time. */
function writtenLines(steps: readonly (readonly [at: number, delta: MessageDelta | 'discard'])[]) {
  return marbles(({ flush }) => {
    const lines: { at: number; event: EventNamed<'message_update'> }[] = []
    let now = 0
    const joiner = createCheckpointJoiner((event) => lines.push({ at: now, event }))
    for (let at = 0; at <= 2_000; at++) timer(at).subscribe(() => (now = at)) // before the joiner's own timers
    for (const [at, delta] of steps) {
      timer(at).subscribe(() => {
        if (delta === 'discard') joiner.discard()
        else joiner.add(update(delta))
      })
    }
    flush()
    return lines.map(({ at, event }) => [at, event.delta])
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('createCheckpointJoiner', () => {
  it('writes joined pieces 250 ms after the first one [LOG-checkpoint]', () => {
    expect(
      writtenLines([
        [10, text(0, 'a')],
        [100, text(1, 'b')],
        [259, text(2, 'c')],
        [270, text(3, 'd')],
      ]),
    ).toEqual([
      [260, text(0, 'abc')],
      [520, text(3, 'd')],
    ])
  })

  it('writes nothing without pieces', () => {
    expect(writtenLines([])).toEqual([])
    expect(
      writtenLines([
        [5, { type: 'text_start', contentIndex: 0 }],
        [6, { type: 'text_end', contentIndex: 0 }],
      ]),
    ).toEqual([])
  })

  it('writes at once at 16 KiB [LOG-checkpoint]', () => {
    const long = 'x'.repeat(checkpointLength - 1)
    expect(
      writtenLines([
        [5, text(0, long)],
        [6, text(long.length, 'yz')],
        [100, text(long.length + 2, '!')],
      ]),
    ).toEqual([
      [6, text(0, `${long}yz`)],
      [350, text(long.length + 2, '!')],
    ])
  })

  it('writes one line a block', () => {
    expect(
      writtenLines([
        [1, text(0, 'a')],
        [2, text(0, 'b', 1)],
        [3, text(1, 'c')],
      ]),
    ).toEqual([
      [251, text(0, 'ac')],
      [251, text(0, 'b', 1)],
    ])
  })

  it('writes id and name of a call with its first piece, and never again [LOG-unfinished]', () => {
    const start: MessageDelta = { type: 'toolcall_start', contentIndex: 0, id: 'c', name: 'read' }
    const piece = (offset: number, part: string): MessageDelta => ({
      type: 'toolcall_delta',
      contentIndex: 0,
      offset,
      text: part,
    })
    expect(
      writtenLines([
        [1, start],
        [2, piece(0, '{"a"')],
        [300, piece(4, ':1}')],
      ]),
    ).toEqual([
      [252, { ...piece(0, '{"a"'), id: 'c', name: 'read' }],
      [550, piece(4, ':1}')],
    ])
  })

  it('drops unwritten pieces when the message has ended [LOG-unfinished]', () => {
    expect(
      writtenLines([
        [1, text(0, 'a')],
        [100, 'discard'],
        [400, text(0, 'next')],
      ]),
    ).toEqual([[650, text(0, 'next')]])
  })

  it('lets a reader rebuild the unfinished answer [LOG-unfinished]', () => {
    const steps: [number, MessageDelta][] = [
      [1, { type: 'thinking_start', contentIndex: 0 }],
      [2, { type: 'thinking_delta', contentIndex: 0, offset: 0, text: 'hm' }],
      [300, { type: 'thinking_end', contentIndex: 0 }],
      [301, { type: 'toolcall_start', contentIndex: 1, id: 'c', name: 'read' }],
      [302, { type: 'toolcall_delta', contentIndex: 1, offset: 0, text: '{"pa' }],
      [700, { type: 'toolcall_delta', contentIndex: 1, offset: 4, text: 'th"' }],
    ]
    const lines = writtenLines(steps).map(([, delta]) => delta as MessageDelta)
    const rebuilt = lines.reduce<AssistantMessage>(foldMessage, assistant())
    const whole = steps.reduce<AssistantMessage>((message, [, delta]) => foldMessage(message, delta), assistant())
    expect(rebuilt.content).toEqual(whole.content)
  })

  it('leaves no timer when the message has ended', () => {
    vi.useFakeTimers()
    const joiner = createCheckpointJoiner(() => undefined)
    joiner.add(update(text(0, 'a')))
    expect(vi.getTimerCount()).toBe(1)
    joiner.discard()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has the delay of the protocol [LOG-checkpoint]', () => {
    expect([checkpointDelayMs, checkpointLength]).toEqual([250, 16 * 1024])
  })
})
