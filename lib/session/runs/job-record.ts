// A background job in memory: its state, the tail of its output, its start event and its message.
import { ReplaySubject, Subject, asyncScheduler } from 'rxjs'
import { bashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { JobInfo, JobOutput, JobStart } from '../../streams/ports/jobs.ts'
import type { ShellEnd, ShellOutput } from '../../streams/ports/user-shell.ts'
import { appendOutput } from '../../streams/state/fold-output.ts'
import type { OutputTail } from '../../streams/state/fold-output.ts'
import { Failure } from '../../streams/values/failure.ts'
import { truncateTail } from '../../streams/values/truncate.ts'

/** Running jobs of one session. */
export const runningLimit = 16
/** The output in the message of an ended job: `job_output` returns more. */
const messageLimits = { maxLines: 20, maxBytes: 2_048 }

export interface Job {
  info: JobInfo
  tail: OutputTail
  fullOutputPath?: string
  /** Calls that wait for its end or output: the model hears of the end through them. */
  waiters: number
  /** Runs outside the sandbox, which a person allowed. */
  readonly escalated: boolean
  readonly stop$: ReplaySubject<void>
  readonly input$: Subject<string>
  /** One value for each piece of output and for the end. */
  readonly changed$: Subject<void>
}

/** Without `toolCallId`: a command of the user. */
export function newJob(
  jobId: string,
  {
    command,
    toolCallId,
    pty = false,
    escalated = false,
  }: Omit<JobStart, 'toolCallId'> & Partial<Pick<JobStart, 'toolCallId'>>,
): Job {
  const caller = toolCallId === undefined ? {} : { toolCallId }
  return {
    info: { jobId, command, ...caller, pty, running: true, startedAt: asyncScheduler.now() },
    tail: { offset: 0, text: '' },
    waiters: 0,
    escalated,
    stop$: new ReplaySubject<void>(1),
    input$: new Subject<string>(),
    changed$: new Subject<void>(),
  }
}

export function startOf({ jobId, toolCallId, command }: JobInfo) {
  return { type: 'job_start', jobId, command, ...(toolCallId === undefined ? {} : { toolCallId }), by: 'tool' } as const
}

/** Appends a piece of its output. */
export function addOutput(job: Job, { content, offset }: ShellOutput): void {
  job.tail = appendOutput(job.tail, { content, offset })
}

/** Marks the job as ended; returns how long it ran. */
export function closeJob(job: Job, { exitCode, fullOutputPath }: ShellEnd): number {
  const durationMs = Math.max(0, asyncScheduler.now() - job.info.startedAt)
  job.info = { ...job.info, running: false, exitCode, durationMs }
  if (fullOutputPath !== undefined) job.fullOutputPath = fullOutputPath
  return durationMs
}

export function endOf({ tail }: Job): number {
  return tail.offset + tail.text.length
}

export function outputOf(job: Job, after: number): JobOutput {
  const { info, tail, fullOutputPath } = job
  const offset = Math.max(tail.offset, Math.min(after, endOf(job)))
  const content = tail.text.slice(offset - tail.offset)
  return { job: info, content, offset, ...(fullOutputPath === undefined ? {} : { fullOutputPath }) }
}

export function messageOf({ info, stop$ }: Job, { output, exitCode, fullOutputPath }: ShellEnd): Message {
  const { jobId, command, toolCallId, startedAt } = info
  const shown = truncateTail(output, messageLimits)
  let cancelled = false
  stop$.subscribe(() => (cancelled = true)).unsubscribe()
  return bashExecutionMessage({
    role: 'bashExecution',
    jobId,
    ...(toolCallId === undefined ? {} : { toolCallId }),
    command,
    output: shown.text,
    truncated: shown.cutBy !== undefined,
    ...(fullOutputPath === undefined ? {} : { fullOutputPath }),
    ...(exitCode === null ? {} : { exitCode }),
    cancelled,
    timestamp: startedAt,
  })
}

export function notStarted(thrown: unknown): ShellEnd {
  const output = `The command was not run: ${Failure.from(thrown).message}`
  return { type: 'end', output, exitCode: null, truncated: false }
}

export function unknownJob(jobId: string, ids: readonly string[]): Failure {
  const known = ids.length === 0 ? 'this session has none; jobs end with their session' : ids.join(', ')
  return new Failure('bad_request', `There is no job ${jobId}; jobs: ${known}`)
}

export function tooManyJobs(): Failure {
  const message = `${runningLimit} background jobs are running; wait for one to end, or end it with job_kill`
  return new Failure('overloaded', message)
}
