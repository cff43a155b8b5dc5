// Counts what the logs of the sessions say has happened: calls, compactions, jobs and warnings.
import type { ReceivedEvent } from '../../lib/client.ts'
import { count } from './soak-actions.ts'
import { attemptMark } from './storm-calls.ts'

type LoggedEvent = ReceivedEvent['event']

/** Adds one event of a log to the counts. */
export function countEvent(counts: Record<string, number>, event: LoggedEvent): void {
  switch (event.type) {
    case 'tool_execution_end':
      count(counts, `calls: ${groupOf(event.toolName)}, ${event.isError ? 'error' : 'ok'}`)
      if (JSON.stringify(event.content).includes(attemptMark)) count(counts, 'commands that tried to leave the sandbox')
      return
    case 'compaction':
      count(counts, `compactions: ${event.reason ?? 'no reason'}`)
      return
    case 'job_start':
      count(counts, `jobs: of ${event.by ?? 'tool'}`)
      return
    case 'job_end':
      count(counts, `jobs: ${event.exitCode === null ? 'stopped' : 'exited'}`)
      return
    case 'warning':
      count(counts, `warnings: ${event.code}`)
      return
    case 'agent_end':
      count(counts, `runs: ${event.terminationReason}`)
      return
    default:
  }
}

/** The tools of both servers have one name each; a name that the model made up is `unknown`. */
function groupOf(tool: string): string {
  const [, ofServer] = /^mcp__[a-z]+__([a-z]+)$/.exec(tool) ?? []
  return ofServer === undefined ? tool : `MCP ${ofServer}`
}
