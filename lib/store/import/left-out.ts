// What a log from elsewhere may not bring along as what it is: power, what waits, and what names things of another machine.
import type { AgentEvent, EventType } from '../../streams/events/event.ts'
import { customTypes } from './custom-types.ts'

/** Why an event of this type becomes data; undefined where it may stay what it is. */
export function leftOut(type: string): string | undefined {
  if (stays.has(type)) return undefined
  return reasons[type as EventType] ?? 'this rxpi does not know such an event'
}

/** The event as data, which nothing acts on. */
export function asData(event: AgentEvent): AgentEvent {
  return { type: 'custom', customType: customTypes.leftOut, data: event }
}

const stays = new Set<string>([
  'agent_start',
  'turn_start',
  'message_start',
  'message_update',
  'message_end',
  'tool_execution_start',
  'tool_execution_end',
  'turn_end',
  'agent_end',
  'agent_settled',
  'model_change',
  'thinking_level_change',
  'session_info_change',
  'label',
  'head_moved',
  'compaction',
  'branch_summary',
  'context_edit',
  'auto_retry',
  'model_fallback',
  'custom',
  'warning',
  'error',
] satisfies EventType[])

const power = 'what a session may do is not taken from a file'
const waiting = 'what was waiting there does not wait here'
const jobs = 'its jobs ran elsewhere'

const reasons: Readonly<Partial<Record<EventType, string>>> = {
  active_tools_change: power,
  scenario_change: power,
  approval_mode_change: power,
  ui_request: power,
  ui_resolved: power,
  queue_mode_change: waiting,
  queue_update: waiting,
  job_start: jobs,
  job_end: jobs,
  snapshot_taken: 'its snapshots are not here',
  files_restored: 'its snapshots are not here',
}
