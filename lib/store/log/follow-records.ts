// Who only reads a log sees whole lines: what stands after the last line feed is being written, or will be undone.
import { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { lineHead } from '../lines/line-head.ts'
import { readLines } from '../lines/read-lines.ts'
import { checkedRecord } from './read-records.ts'
import type { RecordPlace, RecordSource } from './read-records.ts'

export interface FollowOptions {
  /** Its `end` is where the file ends now. */
  readonly source: RecordSource
  /** A line that is not behind the first wanted one. */
  readonly start: RecordPlace
  /** The number after which records are told. */
  readonly after: number
  /** Checkpoints behind that number are told too, without `seq` and `line`. Default false. */
  readonly checkpoints?: boolean
  /** Emits when there may be more. */
  readonly changes$: Observable<void>
  /** Told how many bytes of whole lines there are, before what the last of them holds is. */
  reached?(size: number): void
}

/**
 * The durable records after a number, then each that is appended. Completes with `changes$`; fails with Failure `read_only`
 * at a line that is not what it should be, `storage`. Buffers nothing.
 */
export function followRecords(options: FollowOptions): Observable<SessionRecord> {
  const { source, start, after, checkpoints = false, changes$, reached } = options
  return new Observable((subscriber) => {
    let { offset, seq, line } = start

    function read(): void {
      for (const { bytes, ended } of readLines({ ...source, from: offset })) {
        if (!ended || subscriber.closed) return
        const numbered = lineHead(bytes)?.seq !== undefined
        const record = checkedRecord(source, bytes, numbered ? { seq, line } : { line })
        if (record instanceof Failure) throw record
        offset += bytes.length + 1
        line += 1
        reached?.(offset)
        if (numbered) seq += 1
        const isWanted = numbered ? seq - 1 > after : checkpoints && seq > after
        if (isWanted) subscriber.next(record)
      }
    }
    function attempt(): void {
      try {
        read()
      } catch (thrown) {
        subscriber.error(thrown)
      }
    }

    attempt()
    if (subscriber.closed) return undefined
    return changes$.subscribe({
      next: attempt,
      complete: () => {
        subscriber.complete()
      },
    })
  })
}
