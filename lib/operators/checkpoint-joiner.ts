// What streams of an unfinished message is written in joined pieces, so that a crash loses at most the last of them.
import { timer } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { PieceDelta } from '../streams/delta.ts'
import type { EventNamed } from '../streams/event.ts'

export interface CheckpointJoiner {
  /** Takes one update in; writes when 16 KiB have gathered. */
  add(event: EventNamed<'message_update'>): void
  /** The message has ended: what was not written is in its `message_end`. */
  discard(): void
}

/** A checkpoint is written at most this long after the first delta that it holds, in milliseconds … */
export const checkpointDelayMs = 250
/** … or when this many UTF-16 units have gathered. */
export const checkpointLength = 16_384

interface OpenPiece {
  readonly delta: PieceDelta
  text: string
}

/** Joins pieces per block and gives them to `write`, one event a block. The first of a tool call carries its id and name. */
export function checkpointJoiner(write: (event: EventNamed<'message_update'>) => void): CheckpointJoiner {
  const calls = new Map<number, { readonly id: string; readonly name: string }>()
  const pieces = new Map<number, OpenPiece>()
  let entryId = ''
  let length = 0
  let armed: Subscription | undefined

  const flush = (): void => {
    armed?.unsubscribe()
    armed = undefined
    const joined = [...pieces.values()]
    pieces.clear()
    length = 0
    for (const { delta, text } of joined) write({ type: 'message_update', entryId, delta: { ...delta, text } })
  }
  const addPiece = (delta: PieceDelta): void => {
    const piece = pieces.get(delta.contentIndex)
    if (piece === undefined) pieces.set(delta.contentIndex, { delta: first(delta, calls), text: delta.text })
    else piece.text += delta.text
    length += delta.text.length
    if (length >= checkpointLength) flush()
    else armed ??= timer(checkpointDelayMs).subscribe(flush)
  }

  return {
    add: (event) => {
      entryId = event.entryId
      const { delta } = event
      if (delta.type === 'toolcall_start') calls.set(delta.contentIndex, { id: delta.id, name: delta.name })
      if ('offset' in delta) addPiece(delta)
    },
    discard: () => {
      armed?.unsubscribe()
      armed = undefined
      pieces.clear()
      calls.clear()
      length = 0
    },
  }
}

function first(
  delta: PieceDelta,
  calls: ReadonlyMap<number, { readonly id: string; readonly name: string }>,
): PieceDelta {
  if (delta.type !== 'toolcall_delta' || delta.offset > 0) return delta
  return { ...delta, ...calls.get(delta.contentIndex) }
}
