// Starts a command as a background job and returns its id to the model.
import { catchError, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { errorResult, textResult } from '../../streams/ports/tool.ts'
import type { ToolContext, ToolResult } from '../../streams/ports/tool.ts'
import type { ShellContext } from '../../streams/ports/user-shell.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { BashParameters } from '../shared/parameters.ts'
import type { JobDetails } from './job-tools.ts'

/**
 * A time limit applies only if the call sets one.
 * @param shellContext where it begins; default: the session's folder
 */
export function startJob(
  { command, timeout = 0, pty = false, escalate }: BashParameters,
  { jobs, toolCallId, cwd }: Pick<ToolContext, 'jobs' | 'toolCallId' | 'cwd'>,
  shellContext?: ShellContext,
): Observable<ToolResult> {
  if (jobs === undefined) return of(errorResult('Background jobs cannot run here: the session has no shell.'))
  const escalated = escalate !== undefined
  const where = shellContext === undefined || shellContext.folder === cwd ? '' : ` in ${shellContext.folder}`
  const job = { command, toolCallId, timeoutMs: timeout * 1000, pty, escalated, ...(shellContext && { shellContext }) }
  return jobs.start(job).pipe(
    map(({ jobId }) => {
      const details: JobDetails = { jobId, running: true, next: 0 }
      const input = pty ? ', job_input types into it' : ''
      return textResult(`[Job ${jobId} is running${where}. job_output reads its output${input}, job_kill ends it.]`, {
        details,
      })
    }),
    catchError((thrown: unknown) => of(errorResult(Failure.from(thrown).message))),
  )
}
