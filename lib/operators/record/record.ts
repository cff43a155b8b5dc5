// Nothing durable passes before it is written; what cannot be written waits, in order, until it can.
import { Observable, asyncScheduler } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { lineBody, openBody } from '../../streams/log/line-event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import type { NumberedRecord } from './number.ts'
import { operate } from '../core/operate.ts'
import { writeInOrder } from '../core/write-in-order.ts'
import type { PieceDelta } from '../../streams/messages/delta.ts'
import { pieceJoiner } from '../../streams/messages/fold-message.ts'

export interface RecordOptions {
  readonly log: Pick<SessionLog, 'append' | 'checkpoint' | 'sync' | 'blobs'>
  /** Emits when what waits is to be tried again; each further durable event tries too. */
  readonly retry$: Observable<void>
  /** Told of each failure to write. The event waits and is not passed on. */
  failed(failure: Failure): void
}

const syncedAfter = new Set<AgentEvent['type']>(['message_end', 'turn_end', 'agent_end'])

/**
 * Writes each durable event's line, then passes it on with the line; syncs are started, not awaited, after `message_end`,
 * `turn_end` and `agent_end`. Deltas are passed on at once and written as joined checkpoints, at most 250 ms later.
 *
 * While the log cannot be written, durable events wait in order (a run that is told `failed` ends, so they are few) and
 * transient ones but `status` are dropped: their starts were not seen. Never fails. On unsubscribe what waits is dropped.
 */
export function record<Pending extends PendingRecord>(
  options: RecordOptions,
): MonoTypeOperatorFunction<NumberedRecord<Pending>> {
  const { log, failed, retry$ } = options
  const attempt = <Value>(write: () => Value): Value | undefined => {
    try {
      return write()
    } catch (error) {
      failed(Failure.from(error, 'storage'))
      return undefined
    }
  }
  return (source$) =>
    new Observable((subscriber) => {
      const joiner = checkpointJoiner((event) => {
        attempt(() => {
          log.checkpoint(openBody({ at: asyncScheduler.now(), event }))
        })
      })
      const lines = writeInOrder(
        (numbered: NumberedRecord<Pending>) => attempt(() => log.append(bodyOf(numbered, log.blobs))),
        (numbered, line) => {
          const { type } = numbered.event
          if (type === 'message_end') joiner.discard()
          if (syncedAfter.has(type)) log.sync()
          subscriber.next({ ...numbered, line })
        },
      )
      subscriber.add(joiner.discard)
      subscriber.add(retry$.subscribe(lines.flush))
      source$.subscribe(
        operate<NumberedRecord<Pending>, NumberedRecord<Pending>>({
          destination: subscriber,
          next: (numbered) => {
            const { event, seq } = numbered
            if (seq !== undefined) lines.put(numbered)
            else if (lines.waiting === 0 || event.type === 'status') {
              if (event.type === 'message_update') joiner.add(event)
              subscriber.next(numbered)
            }
          },
        }),
      )
    })
}

function bodyOf({ event, at, seq = 0, runId, opId }: NumberedRecord, blobs: SessionLog['blobs']): string {
  return lineBody({ seq, at, event, runId, opId }, blobs)
}

// What streams of an unfinished message is written in joined pieces, so that a crash loses at most the last of them.

interface CheckpointJoiner {
  /** Takes one update in; writes when 16 KiB have gathered. */
  add(event: EventNamed<'message_update'>): void
  /** The message has ended: what was not written is in its `message_end`. */
  discard(): void
}

/** A checkpoint is written at most this long after the first delta that it holds, in milliseconds … */
export const checkpointDelayMs = 250
/** … or when this many UTF-16 units have gathered. */
export const checkpointLength = 16_384

type Calls = Map<number, { readonly id: string; readonly name: string }>

/** Joins pieces per block and gives them to `write`, one event a block. The first of a tool call carries its id and name. */
export function checkpointJoiner(write: (event: EventNamed<'message_update'>) => void): CheckpointJoiner {
  let calls: Calls = new Map()
  const pieces = pieceJoiner()
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
