// The tools job_output, job_input and job_kill: read, type into and end background jobs.
import { stripVTControlCharacters } from 'node:util'
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { JobOutput, Jobs } from '../../streams/ports/jobs.ts'
import { defineTool } from '../../streams/tool-definition/define-tool.ts'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { StreamTool, ToolContext, ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { truncateTail } from '../../streams/values/truncate.ts'
import { jobInputParameters, jobKillParameters, jobOutputParameters } from '../generated/parameter-validators.js'
import { outputLimits } from '../shared/output-limits.ts'
import { argumentsValidator, JobInputParameters, JobKillParameters, JobOutputParameters } from '../shared/parameters.ts'

/** The `details` of a job tool's result. */
export interface JobDetails {
  readonly jobId: string
  readonly running: boolean
  /** Of an ended job; null if a signal ended it. */
  readonly exitCode?: number | null
  /** The `after` of a next call. */
  readonly next: number
}

/** Reads the output after `after`; `wait` seconds for more, or for the end. */
export function createJobOutputTool(): StreamTool<typeof JobOutputParameters> {
  return defineTool({
    name: 'job_output',
    maxResultBytes: 0, // it limits its output itself
    description: "Read a background job's output. wait: seconds to wait for more output or its end.",
    parameters: JobOutputParameters,
    validate: argumentsValidator(jobOutputParameters),
    capability: 'read',
    sideEffectFree: true,
    timeoutMs: 0, // the schema bounds the wait
    execute: ({ id, after, wait = 0 }, context) =>
      withJobs(context, (jobs) => {
        const query = { ...(after === undefined ? {} : { after }), waitMs: wait * 1000 }
        return jobs.output(id, query).pipe(map(outputResult))
      }),
  })
}

/**
 * Types text into a job's terminal and returns what it prints within a moment. A job that a person allowed outside the
 * sandbox takes input only with `escalate`, which asks again.
 */
export function createJobInputTool(): StreamTool<typeof JobInputParameters> {
  return defineTool({
    name: 'job_input',
    maxResultBytes: 0, // it limits its output itself
    description:
      'Type text into a job started with pty; end a line with \\n. Returns what it prints within half a second.',
    parameters: JobInputParameters,
    validate: argumentsValidator(jobInputParameters),
    capability: 'exec',
    sandboxed: true,
    mustSerial: true,
    execute: ({ id, text, escalate }, context) =>
      withJobs(context, (jobs) => {
        const input = { waitMs: answerMs, escalated: escalate !== undefined }
        return jobs.write(id, text, input).pipe(map(outputResult))
      }),
  })
}

/** Ends a job with SIGTERM, 2 s later SIGKILL. */
export function createJobKillTool(): StreamTool<typeof JobKillParameters> {
  return defineTool({
    name: 'job_kill',
    maxResultBytes: 0, // it limits its output itself
    description: 'End a background job.',
    parameters: JobKillParameters,
    validate: argumentsValidator(jobKillParameters),
    capability: 'session',
    execute: ({ id }, context) => withJobs(context, (jobs) => jobs.kill(id).pipe(map(outputResult))),
  })
}

/** Milliseconds in which a terminal prints its answer to input. */
const answerMs = 500

function withJobs(
  { jobs }: Pick<ToolContext, 'jobs'>,
  use: (jobs: Jobs) => Observable<ToolResult>,
): Observable<ToolResult> {
  if (jobs === undefined) return of(errorResult('Background jobs cannot run here: the session has no shell.'))
  return defer(() => use(jobs)).pipe(catchError((thrown: unknown) => of(errorResult(Failure.from(thrown).message))))
}

/** The output after the requested point, then in brackets the state of the job and how to continue. */
export function outputResult({ job, content, offset, fullOutputPath }: JobOutput): ToolResult {
  const { jobId, running, exitCode } = job
  // a terminal ends its lines with \r\n
  const shown = truncateTail(stripVTControlCharacters(content).replaceAll('\r\n', '\n'), outputLimits)
  const isCut = shown.cutBy !== undefined || offset > 0
  const rest = fullOutputPath === undefined ? '' : `; all of it: ${fullOutputPath}`
  const next = offset + content.length
  const notices = [
    ...(shown.cutBy === undefined ? [] : [`[The beginning of this output was left out${rest}]`]),
    running
      ? `[Job ${jobId} is running. Next: after ${next}]`
      : `[Job ${jobId} has ended: ${describeEnd(exitCode)}${isCut ? rest : ''}]`,
  ]
  const gap = shown.text === '' || shown.text.endsWith('\n') ? '' : '\n'
  const details: JobDetails = { jobId, running, ...(exitCode === undefined ? {} : { exitCode }), next }
  return textResult(`${shown.text}${gap}${notices.join('\n')}`, { details })
}

function describeEnd(exitCode: number | null | undefined): string {
  return typeof exitCode === 'number' ? `exit code ${exitCode}` : 'by a signal'
}
