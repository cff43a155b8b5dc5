// Runs the background jobs of tools; the end of a job waits for the next turn or run.
// Guarantees: a job's `job_start` is written before it runs; its end starts no run; memory for output is bounded.
import {
  EMPTY,
  NEVER,
  ReplaySubject,
  concat,
  defer,
  ignoreElements,
  map,
  merge,
  of,
  take,
  throwError,
  timer,
  filter,
  finalize,
  race,
  startWith,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { JobInfo, JobInput, JobOutput, Jobs, JobStart, JobReader, JobQuery } from '../../streams/ports/jobs.ts'
import type { ShellEnd, ShellOutput, UserShell } from '../../streams/ports/user-shell.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { DeferredMessages } from './deferred-messages.ts'
import {
  addOutput,
  closeJob,
  endOf,
  messageOf,
  newJob,
  notStarted,
  runningLimit,
  startOf,
  tooManyJobs,
  unknownJob,
  outputOf,
} from './job-record.ts'
import type { Job } from './job-record.ts'
import { jobTable } from './job-table.ts'
import type { JobTable } from './job-table.ts'

export interface ToolJobs extends Jobs {
  /**
   * Ends a job on behalf of a person: unlike after `kill`, a message names its end to the model. Undefined if no such
   * job of a tool runs.
   */
  end(jobId: string): Observable<{ readonly killed: true }> | undefined
  /** Running jobs and the last ended ones, by id. */
  readonly known: ReadonlyMap<string, Job>
  /** Ends the running jobs. */
  close(): void
  /** Completes when no job runs. */
  idle(): Observable<never>
}

export interface ToolJobsOptions {
  readonly ids: Pick<Ids, 'short'>
  /** Runs jobs in the session's sandbox, if it has one. */
  readonly shell: UserShell
  /** Runs escalated jobs. Default: `shell`. */
  readonly outsideShell?: UserShell
  readonly pipeline: Pick<Pipeline, 'publish' | 'write'>
  readonly deferred: Pick<DeferredMessages, 'add' | 'appendSoon'>
  /** Called when a job with a terminal starts. */
  onTerminal?(): void
}

export function toolJobs(options: ToolJobsOptions): ToolJobs {
  const jobs = jobTable()
  const { known, close, idle } = jobs
  const find = (jobId: string): Job => {
    const job = known.get(jobId)
    if (job === undefined) throw unknownJob(jobId, [...known.keys()])
    return job
  }
  const runner = jobRunner(options, jobs)
  return {
    known,
    close,
    idle,
    list: () => [...known.values()].map(({ info }) => info),
    start: (input) => {
      const check$ = input.pty === true ? options.shell.terminalCheck$ : undefined
      const start$ = defer(() => {
        if (jobs.running().length >= runningLimit) return throwError(() => tooManyJobs())
        const job = newJob(options.ids.short(), input)
        jobs.add(job)
        return runner.start(job, input)
      })
      return concat(check$ ?? EMPTY, start$)
    },
    output: (jobId, query = {}) => defer(() => asWaiter(find(jobId), waitForOutput(find(jobId), query))),
    write: (jobId, text, input) => defer(() => typeInto(find(jobId), text, input)),
    kill: (jobId) => defer(() => asWaiter(find(jobId), endJob(find(jobId)))),
    end: (jobId) => {
      const job = known.get(jobId)
      return job?.info.running === true ? endJob(job).pipe(map(() => ({ killed: true }))) : undefined
    },
  }
}

function endJob(job: Job): Observable<JobOutput> {
  return defer(() => {
    if (job.info.running) job.stop$.next()
    return waitUntil(job, () => !job.info.running, NEVER)
  })
}

function typeInto(job: Job, text: string, { waitMs, escalated = false }: JobInput): Observable<JobOutput> {
  const { running, pty, jobId } = job.info
  if (!running) throw new Failure('bad_request', `Job ${jobId} has ended and takes no input`)
  if (!pty) throw new Failure('bad_request', `Job ${jobId} has no terminal; start it with pty: true`)
  if (job.escalated && !escalated)
    throw new Failure(
      'not_allowed',
      `Job ${jobId} runs outside the sandbox; set escalate to the reason, so that a person decides`,
    )
  const before = endOf(job)
  job.input$.next(text)
  return asWaiter(
    job,
    waitUntil(job, () => !job.info.running, timer(waitMs), before),
  )
}

interface JobRunner {
  /** Emits once its `job_start` is written, and then runs it. */
  start(job: Job, input: JobStart): Observable<JobInfo>
}

function jobRunner(
  { shell, outsideShell = shell, pipeline, deferred, onTerminal }: ToolJobsOptions,
  { onEnd }: Pick<JobTable, 'onEnd'>,
): JobRunner {
  const end = (job: Job, shellEnd: ShellEnd): void => {
    const { exitCode } = shellEnd
    const message = job.waiters > 0 ? undefined : messageOf(job, shellEnd)
    const durationMs = closeJob(job, shellEnd)
    if (message !== undefined) deferred.add(message) // state first: a subscriber may start a run
    const { jobId } = job.info
    pipeline.publish({
      event: { type: 'job_end', jobId, exitCode, durationMs, ...(message === undefined ? {} : { message }) },
    })
    deferred.appendSoon()
    onEnd(job)
  }
  const add = (job: Job, { content, offset }: ShellOutput): void => {
    addOutput(job, { type: 'output', content, offset })
    pipeline.publish({ event: { type: 'job_update', jobId: job.info.jobId, content, offset } })
    job.changed$.next()
  }
  const run = (job: Job, { command, timeoutMs = 0, escalated = false, shellContext }: JobStart): void => {
    const endWhen$ = timeoutMs > 0 ? merge(job.stop$, timer(timeoutMs)) : job.stop$
    const terminal = job.info.pty ? { input$: job.input$.asObservable() } : undefined
    const run$ = (escalated ? outsideShell : shell)(command, endWhen$, terminal, shellContext)
    run$.subscribe((event) => (event.type === 'end' ? end(job, event) : add(job, event)))
  }
  return {
    start: (job, input) => {
      if (job.info.pty) onTerminal?.()
      const written$ = new ReplaySubject<void>(1)
      pipeline.write({ event: startOf(job.info) }).subscribe(written$)
      written$.subscribe({
        complete: () => run(job, input),
        error: (thrown: unknown) => end(job, notStarted(thrown)),
      })
      return concat(written$.pipe(ignoreElements()), of(job.info))
    },
  }
}

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

/** Emits at once without `waitMs`; else when there is output after `after`, at the end of the job or of the time. */
export function waitForOutput(job: Job, { after, waitMs = 0 }: JobQuery): Observable<JobOutput> {
  const awaited = after ?? endOf(job)
  const isDone = (): boolean => !job.info.running || endOf(job) > awaited
  if (waitMs <= 0 || isDone()) return of(outputOf(job, after ?? 0))
  return waitUntil(job, isDone, timer(waitMs), after)
}

/**
 * Emits once, when it is done or `until$` emits. A kill may end the job in the call itself, so that is checked first.
 */
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
