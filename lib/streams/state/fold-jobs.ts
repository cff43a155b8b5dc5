// A job runs from its `job_start` to its `job_end`; each is matched by its id, and so is what it has put out meanwhile.
import type { EventNamed } from '../events/event.ts'
import { foldDeferred } from './fold-deferred.ts'
import { appendOutput } from './kept-output.ts'
import type { KeptOutput } from './kept-output.ts'
import type { Message } from '../messages/message.ts'

type Job = EventNamed<'job_start'>

/** One event more: the jobs that run, in the order in which they began; the very list where nothing changes. */
export function foldJobs(jobs: readonly Job[], event: EventNamed<'job_start' | 'job_end'>): readonly Job[] {
  if (event.type === 'job_start') return [...jobs, event]
  const index = jobs.findIndex(({ jobId }) => jobId === event.jobId)
  return index === -1 ? jobs : jobs.toSpliced(index, 1)
}

/** What is kept of the live output of jobs that run, by their ids. */
export type JobOutput = ReadonlyMap<string, KeptOutput>

/** One event more; the very map where nothing changes. */
export function foldJobOutput(outputs: JobOutput, event: EventNamed<'job_update' | 'job_end'>): JobOutput {
  const before = outputs.get(event.jobId)
  if (event.type === 'job_update') return new Map(outputs).set(event.jobId, appendOutput(before, event))
  if (before === undefined) return outputs
  const rest = new Map(outputs)
  rest.delete(event.jobId)
  return rest
}

/** What a session's state has of its jobs. */
export interface JobsState {
  readonly jobs: readonly Job[]
  readonly jobOutput: JobOutput
  readonly deferred: readonly Message[]
}

/** One event more: what of the state it changes. */
export function foldJob(
  { jobs, jobOutput, deferred }: JobsState,
  event: EventNamed<'job_start' | 'job_update' | 'job_end'>,
): Partial<JobsState> {
  if (event.type === 'job_start') return { jobs: foldJobs(jobs, event) }
  if (event.type === 'job_update') return { jobOutput: foldJobOutput(jobOutput, event) }
  return {
    jobs: foldJobs(jobs, event),
    jobOutput: foldJobOutput(jobOutput, event),
    deferred: foldDeferred(deferred, event),
  }
}
