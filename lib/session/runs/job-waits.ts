// Waits for the output or the end of a background job.
import { defer, filter, finalize, map, of, race, startWith, take, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { JobOutput, JobQuery } from '../../streams/ports/jobs.ts'
import { endOf, outputOf } from './job-record.ts'
import type { Job } from './job-record.ts'

/** Emits at once without `waitMs`; else when there is output after `after`, at the end of the job or of the time. */
export function waitForOutput(job: Job, { after, waitMs = 0 }: JobQuery): Observable<JobOutput> {
  const awaited = after ?? endOf(job)
  const isDone = (): boolean => !job.info.running || endOf(job) > awaited
  if (waitMs <= 0 || isDone()) return of(outputOf(job, after ?? 0))
  return waitUntil(job, isDone, timer(waitMs), after)
}

/** Emits once, when it is done or `until$` emits. A kill may end the job in the call itself, so that is checked first. */
export function waitUntil(
  job: Job,
  isDone: () => boolean,
  until$: Observable<unknown>,
  after: number | undefined = 0,
): Observable<JobOutput> {
  const done$ = job.changed$.pipe(startWith(undefined), filter(isDone))
  return race(done$, until$).pipe(
    take(1),
    map(() => outputOf(job, after)),
  )
}

/** The model hears of the job's end through this call, if it comes meanwhile. */
export function asWaiter(job: Job, output$: Observable<JobOutput>): Observable<JobOutput> {
  return defer(() => {
    job.waiters += 1
    return output$.pipe(finalize(() => (job.waiters -= 1)))
  })
}
