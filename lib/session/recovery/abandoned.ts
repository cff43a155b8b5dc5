// What a process that ended had asked people counts as not answered, and its background jobs have ended with it.
import { bashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import { defaultOutcome } from '../../streams/ports/default-outcome.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'

/**
 * A `ui_resolved` by `recovery` for each request that is open, then a `job_end` without an exit code for each job that runs, in
 * their order. A job is said to have run until the last line: more is not known. Writes nothing.
 * @param from a line from which on everything to the last one may be read
 */
export function abandonedEvents(
  { requests, jobs }: Pick<SessionState, 'requests' | 'jobs'>,
  log: Pick<SessionLog, 'records'>,
  from: number,
): AgentEvent[] {
  const resolved = requests.map((request): AgentEvent => ({
    type: 'ui_resolved',
    requestId: request.requestId,
    outcome: defaultOutcome(request),
    by: 'recovery',
  }))
  return [...resolved, ...endedJobs(jobs, log, from)]
}

const starts = new Set(['job_start'])

function endedJobs(jobs: SessionState['jobs'], log: Pick<SessionLog, 'records'>, from: number): AgentEvent[] {
  if (jobs.length === 0) return []
  const startedAt = new Map<string, number>()
  let lastAt = 0
  for (const { event, at } of log.records(0, starts)) if (event.type === 'job_start') startedAt.set(event.jobId, at)
  for (const { at } of log.records(Math.max(0, from - 1))) lastAt = at
  return jobs.map((job) => {
    const { jobId, by } = job
    const began = startedAt.get(jobId) ?? lastAt
    const durationMs = Math.max(0, lastAt - began)
    const message = by === 'client' ? { message: abandonedCommand(job, began) } : {}
    return { type: 'job_end', jobId, exitCode: null, durationMs, ...message }
  })
}

/** What it had put out is not known: live output is in no line. */
function abandonedCommand(
  { jobId, command, excludeFromContext }: SessionState['jobs'][number],
  timestamp: number,
): Message {
  return bashExecutionMessage({
    role: 'bashExecution',
    jobId,
    command,
    output: 'the process ended while this ran; it may have taken effect',
    cancelled: true,
    truncated: false,
    ...(excludeFromContext === true ? { excludeFromContext } : {}),
    timestamp,
  })
}
