// Emits a command's result after the events of the command are synced.
import { ReplaySubject, concat, ignoreElements, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { concatSteps } from '../../operators/core/loop-while.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import type { Pipeline } from './pipeline.ts'

type Durable = Pick<Pipeline, 'durable'>

interface Written {
  readonly pipeline: Pipeline
}

/** Publishes the events at once, and emits the result when all of them are written and synced. */
export function respondWhenWritten<Result extends object>(
  { pipeline }: Written,
  records: readonly PendingRecord[],
  result: Result,
): Observable<Result> {
  const written = records.map((record) => {
    const written$ = new ReplaySubject<void>(1)
    pipeline.write(record).subscribe(written$)
    return written$
  })
  return respondAfter(concat(...written), pipeline, result)
}

/** Emits the result once `written$` has completed and everything is synced. */
export function respondAfter<Result extends object>(
  written$: Observable<void>,
  pipeline: Durable,
  result: Result,
): Observable<Result> {
  return concatSteps<Result>(
    () => written$.pipe(ignoreElements()),
    () => respondWhenDurable(pipeline, result),
  )
}

/** Emits the result once everything written is synced. */
export function respondWhenDurable<Result extends object>(pipeline: Durable, result: Result): Observable<Result> {
  return concatSteps<Result>(
    () => pipeline.durable().pipe(ignoreElements()),
    () => of(result),
  )
}
