// A log's records at the pace at which they were written; an answer's pieces, which no log keeps, are told between its start and its end.
import { from, mergeMap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { loopWhile } from '../operators/loop-while.ts'
import { recordedDeltas } from '../providers/index.ts'
import type { MessageDelta } from '../streams/delta.ts'
import { Failure } from '../streams/failure.ts'
import type { AssistantMessage } from '../streams/message.ts'
import type { SessionRecord } from '../streams/session-record.ts'

export interface ReplayPace {
  /** 1 = as it was, 2 = twice as fast, 0 = without a pause. Default 1. */
  readonly speed?: number
  /** The longest pause at speed 1, in milliseconds: nobody waits a night for the next prompt. Default 3,000. */
  readonly longestPauseMs?: number
}

/**
 * Emits the records in order, each as long after the one before as their times say, and completes behind the last; the time
 * between an answer's start and its end is filled with its pieces, 16 ms apart. Fails as reading `records` does. Cold; reads
 * a record when its turn has come.
 * @throws Failure `bad_request` for a speed below 0
 */
export function replayedRecords(
  records: Iterable<SessionRecord>,
  { speed = 1, longestPauseMs = 3_000 }: ReplayPace = {},
): Observable<SessionRecord> {
  if (!(speed >= 0)) throw new Failure('bad_request', `There is no speed ${speed}: 1 is as it was, 0 without a pause`)
  const pauseMs = (before: SessionRecord | undefined, next: SessionRecord): number => {
    if (before === undefined || speed === 0) return 0
    return Math.round(Math.min(Math.max(0, next.at - before.at), longestPauseMs) / speed)
  }
  const steps = stepsOf(records, pauseMs)
  return loopWhile(() => {
    const { done, value } = steps.next()
    if (done === true) return undefined
    const told$ = from(value.records)
    return value.waitMs < 1 ? told$ : timer(value.waitMs).pipe(mergeMap(() => told$))
  })
}

/** What is told after a wait. */
interface Step {
  readonly waitMs: number
  readonly records: readonly SessionRecord[]
}

const tickMs = 16

function* stepsOf(
  records: Iterable<SessionRecord>,
  pauseMs: (before: SessionRecord | undefined, next: SessionRecord) => number,
): Generator<Step, undefined> {
  let before: SessionRecord | undefined
  for (const record of records) {
    const pieces = piecesOf(record)
    const pause = pauseMs(before, record)
    const ticks = pieces.length === 0 ? 1 : Math.max(1, Math.floor(pause / tickMs))
    for (let tick = 0; tick < ticks; tick++) {
      const told = part(pieces, tick, ticks)
      const waitMs = partEnd(pause, tick, ticks) - partEnd(pause, tick - 1, ticks)
      yield { waitMs, records: tick === ticks - 1 ? [...told, record] : told }
    }
    before = record
  }
  return undefined
}

/** One of so many equal parts. */
function part<Value>(values: readonly Value[], index: number, parts: number): readonly Value[] {
  return values.slice(partEnd(values.length, index - 1, parts), partEnd(values.length, index, parts))
}

function partEnd(whole: number, index: number, parts: number): number {
  return Math.floor(((index + 1) * whole) / parts)
}

function piecesOf({ event, at, runId }: SessionRecord): SessionRecord[] {
  if (event.type !== 'message_end' || event.message.role !== 'assistant') return []
  const { entryId, message } = event
  return messageDeltas(message).map((delta) => ({ event: { type: 'message_update', entryId, delta }, at, runId }))
}

function messageDeltas(message: AssistantMessage): MessageDelta[] {
  const lengths = new Map<number, number>()
  return [...recordedDeltas(message)].flatMap((delta): MessageDelta[] => {
    if (!('contentIndex' in delta)) return []
    if (!('text' in delta)) return [delta]
    const offset = lengths.get(delta.contentIndex) ?? 0
    lengths.set(delta.contentIndex, offset + delta.text.length)
    return [{ ...delta, offset }]
  })
}
