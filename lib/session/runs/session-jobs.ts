// Shows the jobs of a session to people: those of tools, and the user's own shell commands.
import { defer } from 'rxjs'
import type { JobReader } from '../../streams/ports/jobs.ts'
import type { Job } from './job-record.ts'
import { unknownJob } from './job-record.ts'
import { waitForOutput } from './job-waits.ts'

type Known = Readonly<Record<'known', ReadonlyMap<string, Job>>>

/** A person's reading keeps no end from the model, unlike `job_output` of a tool. */
export function sessionJobs(jobs: Known | undefined, userCommands: Known): JobReader {
  const all = (): Job[] =>
    [...(jobs?.known.values() ?? []), ...userCommands.known.values()].toSorted(
      ({ info: one }, { info: other }) => one.startedAt - other.startedAt,
    )
  return {
    list: () => all().map(({ info }) => info),
    output: (jobId, query = {}) =>
      defer(() => {
        const job = jobs?.known.get(jobId) ?? userCommands.known.get(jobId)
        if (job === undefined)
          throw unknownJob(
            jobId,
            all().map(({ info }) => info.jobId),
          )
        return waitForOutput(job, query)
      }),
  }
}
