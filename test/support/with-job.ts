// A user's command beside a run: it starts after the prompt and ends before the run does.
import { bashExecutionMessage } from '../../lib/streams/messages/bash-execution.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'

/** The run's events with the events of one job between them; the job outputs each of the words. */
export function withJob(run: readonly AgentEvent[], words: readonly string[], number = 0): AgentEvent[] {
  const jobId = `jjjjjjj${'abcdefghijklmnopqrstuvwxyz'[number] ?? 'z'}`
  const output = words.join('')
  let offset = 0
  const updates = words.map((content): AgentEvent => {
    const update: AgentEvent = { type: 'job_update', jobId, content, offset }
    offset += content.length
    return update
  })
  const base = {
    role: 'bashExecution',
    command: 'ls',
    output,
    cancelled: false,
    truncated: false,
    timestamp: 1,
  } as const
  const message = bashExecutionMessage({ ...base, jobId, exitCode: 0 })
  const job: AgentEvent[] = [
    { type: 'job_start', jobId, command: 'ls', by: 'client' },
    ...updates,
    { type: 'job_end', jobId, exitCode: 0, durationMs: 1, message },
  ]
  return run.flatMap((event, index) => {
    const [begins, isLast] = [index >= 4, index === run.length - 1]
    if (isLast) return [...job.splice(0), event]
    return begins && index % 2 === 0 ? [event, ...job.splice(0, 1)] : [event]
  })
}
