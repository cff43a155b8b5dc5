// Holds the jobs of one session and origin by id, finds the running ones and announces their ends.
import { EMPTY, Subject, defer, ignoreElements, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Job } from './job-record.ts'

/** Ended jobs whose output can still be read. */
const endedLimit = 16

export interface JobTable {
  /** Running jobs and the last ended ones, by id. */
  readonly known: ReadonlyMap<string, Job>
  add(job: Job): void
  /** Running jobs, in the order of their start. */
  running(): readonly Job[]
  /** Call it once a job is closed: forgets the oldest ended ones, then notifies its waiters and `idle`. */
  onEnd(job: Job): void
  /** Ends the running jobs. */
  close(): void
  /** Completes when no job runs: at once, or with the ends of those that run at the subscription. */
  idle(): Observable<never>
}

export function jobTable(): JobTable {
  const known = new Map<string, Job>()
  const ended$ = new Subject<void>()
  const running = (): readonly Job[] => [...known.values()].filter(({ info }) => info.running)
  return {
    known,
    running,
    add: (job) => {
      known.set(job.info.jobId, job)
    },
    onEnd: (job) => {
      forgetEnded(known)
      job.changed$.next()
      ended$.next()
    },
    close: () => {
      for (const { stop$ } of running()) stop$.next()
    },
    idle: () =>
      defer(() => {
        const { length } = running()
        return length === 0 ? EMPTY : ended$.pipe(take(length), ignoreElements())
      }),
  }
}

/** Drops the ended jobs but the last ones. */
function forgetEnded(jobs: Map<string, Job>): void {
  const ended = [...jobs.values()].filter(({ info }) => !info.running)
  for (const { info } of ended.slice(0, -endedLimit)) jobs.delete(info.jobId)
}
