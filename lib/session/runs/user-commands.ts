// Runs people's shell commands beside the runs, and appends each result between turns.
import { EMPTY, ReplaySubject, Subject, asyncScheduler, defer, ignoreElements, map, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { bashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import type { BashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { ShellEnd, UserShell } from '../../streams/ports/user-shell.ts'
import { respondAfter } from '../pipeline/respond-when-durable.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { DeferredMessages } from './deferred-messages.ts'

type UserBash = Pick<CommandNamed<'user_bash'>, 'command' | 'exclude'>
type Origin = { readonly opId?: string }

export interface UserCommands {
  /**
   * Starts the command when its `job_start` is written, and emits the job's id once that is durable.
   * @throws Failure `bad_request` if the session has no shell, `overloaded` if too many run
   */
  run(command: UserBash, origin: Origin): Observable<object>
  /** Ends the command; emits once when its end is written, at once if no such job runs. */
  kill(jobId: string): Observable<object>
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

/** Running commands of one session. */
const runningLimit = 16

interface Job {
  readonly jobId: string
  readonly input: UserBash
  readonly startedAt: number
  readonly stop$: ReplaySubject<void>
}

export function userCommands(options: UserCommandsOptions): UserCommands {
  const { ids, userShell, pipeline, deferred } = options
  const jobs = new Map<string, Job>()
  const ended$ = new Subject<void>()

  const end = (job: Job, shellEnd: ShellEnd, cancelled: boolean): void => {
    const { jobId, startedAt } = job
    const message = messageOf(job, shellEnd, cancelled)
    const durationMs = Math.max(0, asyncScheduler.now() - startedAt)
    jobs.delete(jobId)
    deferred.add(message) // state first: a subscriber may start a run
    pipeline.publish({ event: { type: 'job_end', jobId, exitCode: shellEnd.exitCode, durationMs, message } })
    deferred.appendSoon()
    ended$.next()
  }
  const begin = (job: Job, run: UserShell): void => {
    const { jobId, stop$, input } = job
    let isCancelled = false
    stop$.subscribe(() => (isCancelled = true))
    run(input.command, stop$).subscribe((event) => {
      if (event.type === 'end') end(job, event, isCancelled)
      else pipeline.publish({ event: { type: 'job_update', jobId, content: event.content, offset: event.offset } })
    })
  }
  return {
    run: (input, origin) => {
      if (userShell === undefined) throw noShellFailure()
      if (jobs.size >= runningLimit) throw overloadedFailure()
      const job = newJob(ids.short(), input)
      jobs.set(job.jobId, job)
      const written$ = replay(pipeline.write({ event: startOf(job), ...origin }))
      const failed = (thrown: unknown): void => end(job, notStarted(thrown), true)
      written$.subscribe({ next: () => begin(job, userShell), error: failed })
      return respondAfter(written$, pipeline, { jobId: job.jobId })
    },
    kill: (jobId) => {
      const job = jobs.get(jobId)
      if (job === undefined) return of({ killed: false })
      const killed$ = replay(pipeline.next(({ event }) => event.type === 'job_end' && event.jobId === jobId))
      job.stop$.next()
      return killed$.pipe(map(() => ({ killed: true })))
    },
    close: () => {
      for (const { stop$ } of jobs.values()) stop$.next()
    },
    idle: () => defer(() => (jobs.size === 0 ? EMPTY : ended$.pipe(take(jobs.size), ignoreElements()))),
  }
}

function newJob(jobId: string, input: UserBash): Job {
  return { jobId, input, startedAt: asyncScheduler.now(), stop$: new ReplaySubject<void>(1) }
}

/** Subscribed now, and replayed. */
function replay(source$: Observable<void>): Observable<void> {
  const replayed$ = new ReplaySubject<void>(1)
  source$.subscribe(replayed$)
  return replayed$
}

function startOf({ jobId, input: { command, exclude } }: Job) {
  const excluded = exclude === true ? { excludeFromContext: true } : {}
  return { type: 'job_start', jobId, command, ...excluded, by: 'client' } as const
}

function messageOf(
  { jobId, input, startedAt }: Job,
  { type: _, exitCode, ...result }: ShellEnd,
  cancelled: boolean,
): Message {
  const { command, exclude } = input
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

function notStarted(thrown: unknown): ShellEnd {
  return {
    type: 'end',
    output: `The command was not run: ${Failure.from(thrown).message}`,
    exitCode: null,
    truncated: false,
  }
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
