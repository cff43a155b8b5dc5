// Emits a log's records at their recorded pace, with deltas between an answer's start and end.
import { asyncScheduler, defer, from, mergeMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { loopWhile } from '../../operators/core/loop-while.ts'
import { recordedDeltas } from '../../providers/index.ts'
import type { MessageDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AssistantMessage } from '../../streams/messages/message.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'

export interface ReplayPace {
  /** 1 = as it was, 2 = twice as fast; 0 = as fast as it can be read. From 0.01. Default 1. */
  readonly speed?: number | undefined
  /** The longest pause in milliseconds, before the division by `speed`. Default 5,000. */
  readonly maxPauseMs?: number | undefined
}

/**
 * Emits the records in order, with the recorded pauses, and completes after the last. Deltas fill the time between an
 * answer's start and end. That time is not cut as pauses are, but has at least 20 characters a second. Records keep
 * `seq` and `line`; deltas have neither.
 *
 * Cold; reads a record when it is due, and buffers the deltas of one answer. After a stopped process or a changed clock
 * it continues at the same pace. Yields to the event loop after 200 records. Fails as reading `records` does.
 * @throws Failure `bad_request` for an invalid speed
 */
export function replayRecords(
  records: Iterable<SessionRecord>,
  { speed = 1, maxPauseMs = 5_000 }: ReplayPace = {},
): Observable<SessionRecord> {
  if (speed !== 0 && !(speed >= leastSpeed)) throw invalidSpeed(speed)
  return defer(() => {
    const steps = stepsOf(records, { speed, maxPauseMs })
    const waitFor = stepTimer()
    let sinceBreak = 0
    return loopWhile(() => {
      const { done, value } = steps.next()
      if (done === true) return undefined
      const step$ = from(value.records)
      const waitMs = waitFor(value.afterMs)
      sinceBreak += value.records.length
      if (waitMs < 1 && sinceBreak < recordsPerBreak) return step$
      sinceBreak = 0
      return timer(waitMs).pipe(mergeMap(() => step$))
    })
  })
}

const leastSpeed = 0.01
/** Records without a pause between them. */
const recordsPerBreak = 200
/** The shortest time between two deltas of an answer, in milliseconds. */
const tickMs = 16
/** The longest time for a delta of 20 characters, in milliseconds. */
const slowestPieceMs = 1_000
/** Milliseconds of earliness or lateness that later pauses make up for. */
const tolerance = 1_000
const longestTimer = 2 ** 31 - 1

function invalidSpeed(speed: number): Failure {
  return new Failure(
    'bad_request',
    `speed is ${speed}; it must be 0 (no pauses) or at least ${leastSpeed} (1 is the recorded speed)`,
  )
}

/** Returns a function that computes the wait for the next step. Late timers do not add up. */
function stepTimer(): (afterMs: number) => number {
  let due = asyncScheduler.now()
  return (afterMs) => {
    const now = asyncScheduler.now()
    due += afterMs
    if (due > now + afterMs + tolerance || due < now - tolerance) due = now + afterMs // the clock was set, or the process was stopped
    return Math.min(Math.max(0, Math.round(due - now)), longestTimer)
  }
}

/** The records after a wait. */
interface Step {
  readonly afterMs: number
  readonly records: readonly SessionRecord[]
}

type Pace = { readonly [Name in keyof ReplayPace]-?: number }

function* stepsOf(records: Iterable<SessionRecord>, pace: Pace): Generator<Step, undefined> {
  let before: SessionRecord | undefined
  for (const record of records) {
    const pieces = piecesOf(record, pace)
    const afterMs = before === undefined ? 0 : scaledMs(record.at - before.at, pieces.length, pace)
    const ticks = pieces.length === 0 ? 1 : Math.max(1, Math.floor(afterMs / tickMs))
    for (let tick = 0; tick < ticks; tick++) {
      const partOfPieces = sliceOf(pieces, tick, ticks)
      yield { afterMs: afterMs / ticks, records: tick === ticks - 1 ? [...partOfPieces, record] : partOfPieces }
    }
    before = record
  }
  return undefined
}

function scaledMs(recordedMs: number, pieces: number, { speed, maxPauseMs }: Pace): number {
  if (speed === 0) return 0
  return Math.min(Math.max(0, recordedMs), Math.max(maxPauseMs, pieces * slowestPieceMs)) / speed
}

/** Returns one of `parts` equal parts. */
function sliceOf<Value>(values: readonly Value[], index: number, parts: number): readonly Value[] {
  return values.slice(Math.floor((index * values.length) / parts), Math.floor(((index + 1) * values.length) / parts))
}

function piecesOf({ event, at, runId }: SessionRecord, { speed }: Pace): SessionRecord[] {
  if (event.type !== 'message_end' || event.message.role !== 'assistant') return []
  const { entryId, message } = event
  const deltas = messageDeltas(message, speed === 0 ? longestPiece : undefined)
  return deltas.map((delta) => ({ event: { type: 'message_update', entryId, delta }, at, runId }))
}

/** Characters of a delta in a replay without pauses. */
const longestPiece = 16_384

function messageDeltas(message: AssistantMessage, pieceLength: number | undefined): MessageDelta[] {
  const lengths = new Map<number, number>()
  return [...recordedDeltas(message, { pieceLength })].flatMap((delta): MessageDelta[] => {
    if (!('contentIndex' in delta)) return []
    if (!('text' in delta)) return [delta]
    const offset = lengths.get(delta.contentIndex) ?? 0
    lengths.set(delta.contentIndex, offset + delta.text.length)
    return [{ ...delta, offset }]
  })
}
