// Turns the checkpoints of a followed log into message deltas.
import { mergeMap } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { MessageDelta, PieceDelta } from '../../streams/messages/delta.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

/**
 * Passes numbered records on, and turns each checkpoint between them into the deltas that it joins. Skips a block
 * without its first checkpoint: its text comes with the message's end. For one subscriber; remembers the open blocks of
 * the open message.
 */
export function checkpointDeltas(): OperatorFunction<SessionRecord, SessionRecord> {
  const startedBlocks = new Set<number>()
  return mergeMap((record): SessionRecord[] => {
    const { event, at } = record
    if (record.seq !== undefined) {
      if (event.type === 'message_start') startedBlocks.clear()
      return [record]
    }
    if (event.type !== 'message_update' || !('offset' in event.delta)) return []
    const { entryId, delta } = event
    return deltasOf(delta, startedBlocks).map((each) => ({
      event: { type: 'message_update', entryId, delta: each },
      at,
    }))
  })
}

function deltasOf(delta: PieceDelta, begun: Set<number>): MessageDelta[] {
  const { type, contentIndex, offset, text } = delta
  const piece: PieceDelta = { type, contentIndex, offset, text }
  if (begun.has(contentIndex)) return [piece]
  const start = offset === 0 ? startOf(delta) : undefined
  if (start === undefined) return []
  begun.add(contentIndex)
  return [start, piece]
}

function startOf(delta: PieceDelta): MessageDelta | undefined {
  const { contentIndex } = delta
  switch (delta.type) {
    case 'text_delta':
      return { type: 'text_start', contentIndex }
    case 'thinking_delta':
      return { type: 'thinking_start', contentIndex }
    case 'toolcall_delta': {
      const { id, name } = delta
      return id === undefined || name === undefined ? undefined : { type: 'toolcall_start', contentIndex, id, name }
    }
  }
}
