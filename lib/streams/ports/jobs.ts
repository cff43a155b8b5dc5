// The Jobs port: commands that go on beside the run until they end or their session is closed.
import type { Observable } from 'rxjs'
import type { ShellContext } from './user-shell.ts'

/** A command that a tool call starts in the background. */
export interface JobStart {
  readonly command: string
  readonly toolCallId: string
  /** Milliseconds after which it is ended. Default: none. */
  readonly timeoutMs?: number
  /** Runs it in a terminal, which takes input. Default false. */
  readonly pty?: boolean
  /** Runs it outside the session's sandbox, which a person approved. Default false. */
  readonly escalated?: boolean
  /** Where it begins. Default: in the session's folder, with its variables. */
  readonly shellContext?: ShellContext
}

export interface JobInfo {
  readonly jobId: string
  readonly command: string
  /** Absent for a command of the user. */
  readonly toolCallId?: string
  readonly pty: boolean
  readonly running: boolean
  /** Unix ms. */
  readonly startedAt: number
  /** Of an ended job; null if a signal ended it. */
  readonly exitCode?: number | null
  /** Of an ended job. */
  readonly durationMs?: number
}

export interface JobOutput {
  readonly job: JobInfo
  /** At most the last 128 Ki UTF-16 units. */
  readonly content: string
  /** UTF-16 units before `content`: larger than the requested one if output was dropped. */
  readonly offset: number
  /** File with the whole output, once the job has ended and if its result was cut. */
  readonly fullOutputPath?: string
}

export interface JobInput {
  /** Milliseconds to wait for output after the input. */
  readonly waitMs: number
  /** A person allowed to type into a job outside the sandbox. Default false. */
  readonly escalated?: boolean
}

export interface JobQuery {
  /** UTF-16 units that the caller has. Default 0. */
  readonly after?: number
  /** Milliseconds to wait for output after `after`, or after the present end, and for the end of the job. Default 0. */
  readonly waitMs?: number
}

/** Reads the jobs of one session, also the user's own shell commands. */
export interface JobReader {
  /** Running jobs and the last ended ones, in the order of their starts. */
  list(): readonly JobInfo[]
  /** Emits once. Fails with a Failure `bad_request` that lists the jobs if there is no such job. */
  output(jobId: string, query?: JobQuery): Observable<JobOutput>
}

/** The jobs of one session. Methods that name an unknown job fail with a Failure `bad_request` that lists the jobs. */
export interface Jobs extends JobReader {
  /** Starts a job and emits it once its `job_start` is written. Fails with `overloaded` if too many run. */
  start(job: JobStart): Observable<JobInfo>
  /**
   * Types text into a job's terminal. Emits what it printed since, once, after `waitMs` or at its end. Fails with
   * `bad_request` if it has no terminal or has ended, `not_allowed` if it runs outside the sandbox and `escalated` is
   * false.
   */
  write(jobId: string, text: string, options: JobInput): Observable<JobOutput>
  /** Ends a job; emits once when it has ended, at once if it had. */
  kill(jobId: string): Observable<JobOutput>
}
