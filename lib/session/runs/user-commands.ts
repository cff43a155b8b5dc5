// Runs people's shell commands beside the runs, and appends each result between turns.
import { ReplaySubject, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { bashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import type { BashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ShellEnd, ShellOutput, UserShell } from '../../streams/ports/user-shell.ts'
import { respondAfter } from '../pipeline/respond-when-durable.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { DeferredMessages } from './deferred-messages.ts'
import { addOutput, closeJob, newJob, notStarted, runningLimit } from './job-record.ts'
import type { Job } from './job-record.ts'
import { jobTable } from './job-table.ts'
import type { JobTable } from './job-table.ts'

type UserBash = Pick<CommandNamed<'user_bash'>, 'command' | 'exclude'>
type Origin = { readonly opId?: string }

export interface UserCommands {
  /**
   * Starts the command when its `job_start` is written, and emits the job's id once that is durable.
   * @param shell runs it in place of the session's shell
   * @throws Failure `bad_request` if the session has no shell, `overloaded` if too many run
   */
  run(command: UserBash, origin: Origin, shell?: UserShell): Observable<object>
  /** Ends the command; emits once when its end is written, at once if no such job runs. */
  kill(jobId: string): Observable<object>
  /** Running commands and the last ended ones, by job id. */
  readonly known: ReadonlyMap<string, Job>
  /** Ends the running commands. */
  close(): void
  /** Completes when no command runs. */
  idle(): Observable<never>
}

export interface UserCommandsOptions {
  readonly deferred: Pick<DeferredMessages, 'add' | 'appendSoon'>
  readonly ids: Pick<Ids, 'short'>
  /** Absent: commands are refused. */
  readonly userShell?: UserShell | undefined
  readonly pipeline: Pick<Pipeline, 'publish' | 'write' | 'next' | 'durable'>
}

export function userCommands(options: UserCommandsOptions): UserCommands {
  const { ids, userShell, pipeline } = options
  const jobs = jobTable()
  const { known, close, idle } = jobs
  const runner = commandRunner(options, jobs)
  return {
    known,
    close,
    idle,
    run: (input, origin, shell = userShell) => {
      if (shell === undefined) throw noShellFailure()
      if (jobs.running().length >= runningLimit) throw overloadedFailure()
      const job = newJob(ids.short(), input)
      const { jobId } = job.info
      jobs.add(job)
      const written$ = replay(pipeline.write({ event: startOf(jobId, input), ...origin }))
      const failed = (thrown: unknown): void => runner.end(job, input, notStarted(thrown), true)
      written$.subscribe({ next: () => runner.begin(job, input, shell), error: failed })
      return respondAfter(written$, pipeline, { jobId })
    },
    kill: (jobId) => {
      const job = known.get(jobId)
      if (job?.info.running !== true) return of({ killed: false })
      const killed$ = replay(pipeline.next(({ event }) => event.type === 'job_end' && event.jobId === jobId))
      job.stop$.next()
      return killed$.pipe(map(() => ({ killed: true })))
    },
  }
}

function commandRunner({ pipeline, deferred }: UserCommandsOptions, { onEnd }: Pick<JobTable, 'onEnd'>) {
  const end = (job: Job, input: UserBash, shellEnd: ShellEnd, cancelled: boolean): void => {
    const { jobId } = job.info
    const message = messageOf(job, input, shellEnd, cancelled)
    const durationMs = closeJob(job, shellEnd)
    deferred.add(message) // state first: a subscriber may start a run
    pipeline.publish({ event: { type: 'job_end', jobId, exitCode: shellEnd.exitCode, durationMs, message } })
    deferred.appendSoon()
    onEnd(job)
  }
  const add = (job: Job, output: ShellOutput): void => {
    const { content, offset } = output
    addOutput(job, output)
    pipeline.publish({ event: { type: 'job_update', jobId: job.info.jobId, content, offset } })
    job.changed$.next()
  }
  const begin = (job: Job, input: UserBash, run: UserShell): void => {
    const { stop$ } = job
    let isCancelled = false
    stop$.subscribe(() => (isCancelled = true))
    run(input.command, stop$).subscribe((event) =>
      event.type === 'end' ? end(job, input, event, isCancelled) : add(job, event),
    )
  }
  return { begin, end }
}

/** Subscribed now, and replayed. */
function replay(source$: Observable<void>): Observable<void> {
  const replayed$ = new ReplaySubject<void>(1)
  source$.subscribe(replayed$)
  return replayed$
}

function startOf(jobId: string, { command, exclude }: UserBash) {
  const excluded = exclude === true ? { excludeFromContext: true } : {}
  return { type: 'job_start', jobId, command, ...excluded, by: 'client' } as const
}

function messageOf(
  { info: { jobId, startedAt } }: Job,
  { command, exclude }: UserBash,
  { type: _, exitCode, ...result }: ShellEnd,
  cancelled: boolean,
): Message {
  const message: BashExecutionMessage = {
    role: 'bashExecution',
    jobId,
    command,
    ...result,
    ...(exitCode === null ? {} : { exitCode }),
    cancelled,
    ...(exclude === true ? { excludeFromContext: true } : {}),
    timestamp: startedAt,
  }
  return bashExecutionMessage(message)
}

function noShellFailure(): Failure {
  return new Failure('bad_request', 'This session cannot run shell commands of the user: it was opened without a shell')
}

function overloadedFailure(): Failure {
  return new Failure(
    'overloaded',
    `${runningLimit} shell commands are running in this session; wait for one to end, or end it with kill_job`,
  )
}
