// A background job runs from its `job_start` to its `job_end`; each is matched by its id.
import type { EventNamed } from './event.ts'

type Job = EventNamed<'job_start'>

/** One event more: the jobs that run, in the order in which they began; the very list where nothing changes. */
export function foldJobs(jobs: readonly Job[], event: EventNamed<'job_start' | 'job_end'>): readonly Job[] {
  if (event.type === 'job_start') return [...jobs, event]
  const index = jobs.findIndex(({ jobId }) => jobId === event.jobId)
  return index === -1 ? jobs : jobs.toSpliced(index, 1)
}
