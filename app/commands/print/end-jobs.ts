// Ends the background jobs that a print run leaves running, and names each on stderr.
import { catchError, defer, from, ignoreElements, map, mergeMap, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { Client } from '../../../lib/server/client/client.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { report } from '../../process/progress.ts'
import type { Output } from '../../process/output.ts'

/** The commands of running jobs of tools, by id. */
export type RunningJobs = Map<string, string>

/** Call it with every event, in order. */
export function followJobs(jobs: RunningJobs, received: ClientEvent): void {
  if (received.type !== 'event') return
  const { event } = received
  if (event.type === 'job_start' && event.by !== 'client') jobs.set(event.jobId, event.command)
  if (event.type === 'job_end' || event.type === 'job_lost') jobs.delete(event.jobId)
}

interface JobsOfRun {
  readonly jobs: RunningJobs
  readonly session: string
  readonly client: Pick<Client, 'request'>
  readonly stderr: Output
}

/** Completes when the jobs have ended: SIGTERM, after 2 s SIGKILL. */
export function endJobs({ jobs, session, client, stderr }: JobsOfRun): Observable<never> {
  return defer(() => from([...jobs])).pipe(
    mergeMap(([jobId, command]) =>
      client.request({ type: 'kill_job', session, jobId }).pipe(
        map(({ killed }) => (killed ? `ended background job ${jobId}: ${firstLine(command)}` : undefined)),
        catchError((error: unknown) =>
          of(`could not end background job ${jobId} (${firstLine(command)}): ${Failure.from(error).message}`),
        ),
        tap((line) => {
          if (line !== undefined) report(stderr, line)
        }),
      ),
    ),
    ignoreElements(),
  )
}

function firstLine(command: string): string {
  const [line = ''] = command.trim().split('\n', 1)
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
