// Tests the deltas that a replay makes from the checkpoints of a log.
import { from } from 'rxjs'
import { expect, it } from 'vitest'
import { checkpointDeltas } from '../../../lib/services/replay/checkpoint-deltas.ts'
import type { PieceDelta } from '../../../lib/streams/messages/delta.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { messageEnd, messageStart } from '../../store/sessions/sample-records.ts'

const entryId = 'aaaaaaaa'
const checkpoint = (delta: PieceDelta): SessionRecord => ({ event: { type: 'message_update', entryId, delta }, at: 7 })
const text = (offset: number, piece: string, contentIndex = 0): SessionRecord =>
  checkpoint({ type: 'text_delta', contentIndex, offset, text: piece })
const numbered = (seq: number, event = messageStart(entryId)): SessionRecord => ({ event, at: 7, seq, line: 'l' })

/** Durable events by their number, deltas by their content. */
function notices(records: readonly SessionRecord[]): unknown[] {
  const all: unknown[] = []
  from(records)
    .pipe(checkpointDeltas())
    .subscribe(({ seq, event, line }) => {
      if (seq !== undefined) all.push(seq)
      else if (event.type === 'message_update' && line === undefined) all.push(event.delta)
      else all.push('something else')
    })
  return all
}

it('emits a block’s start before its first piece, and passes numbered records on', () => {
  const end = numbered(2, messageEnd(entryId, 'abcd'))
  expect(notices([numbered(1), text(0, 'ab'), text(2, 'c'), end])).toEqual([
    1,
    { type: 'text_start', contentIndex: 0 },
    { type: 'text_delta', contentIndex: 0, offset: 0, text: 'ab' },
    { type: 'text_delta', contentIndex: 0, offset: 2, text: 'c' },
    2,
  ])
})

it('puts a call’s id and name only into its start, and starts thinking as thinking', () => {
  const call = { type: 'toolcall_delta', contentIndex: 1, offset: 0, text: '{', id: 'c1', name: 'bash' } as const
  const thinking = { type: 'thinking_delta', contentIndex: 0, offset: 0, text: 'hm' } as const
  expect(notices([checkpoint(thinking), checkpoint(call)])).toEqual([
    { type: 'thinking_start', contentIndex: 0 },
    thinking,
    { type: 'toolcall_start', contentIndex: 1, id: 'c1', name: 'bash' },
    { type: 'toolcall_delta', contentIndex: 1, offset: 0, text: '{' },
  ])
})

it('omits a block without its first checkpoint, and starts again with the next message', () => {
  const start = { type: 'text_start', contentIndex: 0 }
  expect(notices([text(5, 'x'), text(0, 'a', 1)]).slice(0, 1)).toEqual([{ type: 'text_start', contentIndex: 1 }])
  expect(notices([numbered(1), text(0, 'a'), numbered(2), text(1, 'b'), text(0, 'c')])).toMatchObject([
    1,
    start,
    { text: 'a' },
    2,
    start,
    { text: 'c' },
  ])
})

it('omits a call without a name', () => {
  expect(notices([checkpoint({ type: 'toolcall_delta', contentIndex: 0, offset: 0, text: '{' })])).toEqual([])
})
