// Checks what a log says about its runs and jobs, whatever the order of the commands was.
import { bashExecutionIn } from '../../lib/streams/messages/bash-execution.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../lib/streams/log/log-line.ts'
import type { SessionState } from '../../lib/streams/state/fold-session.ts'
import { faultsOfRun } from './laws.ts'

/** One run at a time, each whole. The head moves between them, or back from an input that a crash cut off. */
export function faultsOfRuns(records: readonly SessionRecord[]): string[] {
  let on = 0
  const overlaps = records.flatMap(({ event: { type } }, index) => {
    if (type === 'agent_start') on += 1
    if (type === 'agent_settled') on -= 1
    if (on > 1) return ['two runs at a time']
    return on === 1 && type === 'head_moved' && !isCutInput(records[index - 1]) ? ['the head moved during a run'] : []
  })
  const runs = Map.groupBy(records, ({ runId }) => runId)
  runs.delete(undefined)
  return [...overlaps, ...[...runs.values()].flatMap((run) => faultsOfRun(run.map(({ event }) => event)))]
}

function isCutInput(record: SessionRecord | undefined): boolean {
  const { event } = record ?? {}
  return event?.type === 'message_end' && event.message.role === 'user' && event.message.content.length === 0
}

/** Each command of a person ends once, and its message stands in the conversation once. */
export function faultsOfJobs({ entries, deferred }: SessionState, events: readonly AgentEvent[]): string[] {
  const ran = [...entries.values()].flatMap(({ message }) => bashExecutionIn(message)?.jobId ?? [])
  const ended = events.flatMap((event) => (event.type === 'job_end' ? event.jobId : []))
  const timesIn = (ids: readonly string[], jobId: string): number => ids.filter((id) => id === jobId).length
  return [
    ...(deferred.length === 0 ? [] : ['a message still waits']),
    ...events.flatMap((event) => {
      if (event.type !== 'job_start') return []
      const [ends, messages] = [timesIn(ended, event.jobId), timesIn(ran, event.jobId)]
      return ends === 1 && messages === 1 ? [] : [`a job has ${ends} ends and ${messages} messages`]
    }),
  ]
}
