// Joins the deltas of an unfinished message into checkpoint lines.
// A crash loses at most the last of them.
import { asyncScheduler } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import type { PieceDelta } from '../../streams/messages/delta.ts'
import { createPieceJoiner } from '../../streams/messages/fold-message.ts'

export interface CheckpointJoiner {
  /** Adds one update; writes once 16 KiB have gathered. */
  add(event: EventNamed<'message_update'>): void
  /** Drops the unwritten pieces: the message has ended, and its `message_end` holds them. */
  discard(): void
}

/** A checkpoint is written at most this long after the first delta that it holds, in milliseconds … */
export const checkpointDelayMs = 250
/** … or when this many UTF-16 units have gathered. */
export const checkpointLength = 16_384

type Calls = Map<number, { readonly id: string; readonly name: string }>

/**
 * Joins pieces per block and passes them to `write`, one event a block. The first piece of a tool call carries its id
 * and name.
 */
export function createCheckpointJoiner(write: (event: EventNamed<'message_update'>) => void): CheckpointJoiner {
  let calls: Calls = new Map()
  const pieces = createPieceJoiner()
  let entryId = ''
  let armed: Subscription | undefined

  const disarm = (): void => {
    armed?.unsubscribe()
    armed = undefined
  }
  const flush = (): void => {
    disarm()
    for (const delta of pieces.take()) write({ type: 'message_update', entryId, delta: withCall(delta, calls) })
  }
  return {
    add: ({ delta, entryId: of }) => {
      entryId = of
      if (delta.type === 'toolcall_start') calls.set(delta.contentIndex, { id: delta.id, name: delta.name })
      if (!('offset' in delta)) return
      if (pieces.add(delta) >= checkpointLength) flush()
      else armed ??= asyncScheduler.schedule(flush, checkpointDelayMs)
    },
    discard: () => {
      disarm()
      pieces.clear()
      if (calls.size > 0) calls = new Map()
    },
  }
}

function withCall(delta: PieceDelta, calls: Calls): PieceDelta {
  return delta.type === 'toolcall_delta' && delta.offset === 0 ? { ...delta, ...calls.get(delta.contentIndex) } : delta
}
