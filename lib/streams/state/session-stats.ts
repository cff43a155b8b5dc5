// Counts what a session did and cost, from its events. A copied session starts at zero.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { AgentEvent } from '../events/event.ts'
import { Count } from '../values/identifiers.ts'
import type { Usage } from '../messages/message.ts'
import { noUsage, addUsage } from '../messages/message.ts'
import { getOwn } from '../values/json.ts'

const duration = Type.Number({ minimum: 0 })

export const SessionStats = Type.Object(
  {
    runs: Count,
    turns: Count,
    /** By role, on all branches. */
    messages: Type.Record(Type.String(), Count),
    /** By tool; `durationMs` is their total time. */
    tools: Type.Record(Type.String(), Type.Object({ calls: Count, errors: Count, durationMs: duration })),
    /** Of all turns and summaries; its `cost` is USD, or unknown. */
    usage: Type.Unsafe<Usage>(Type.Ref('Usage')),
    /** The same by the role of the model: `default` has what no other role used, `summary` has summaries. */
    roles: Type.Optional(
      Type.Record(Type.String(), Type.Object({ turns: Count, usage: Type.Unsafe<Usage>(Type.Ref('Usage')) })),
    ),
    /** Milliseconds with a running run. */
    durationMs: duration,
  },
  { $id: 'SessionStats' },
)
export type SessionStats = Readonly<Static<typeof SessionStats>>

/** The statistics of an empty session. */
export function noStats(): SessionStats {
  return { runs: 0, turns: 0, messages: {}, tools: {}, usage: noUsage, durationMs: 0 }
}

/** Applies one event. */
export function foldStats(stats: SessionStats, event: AgentEvent): SessionStats {
  switch (event.type) {
    case 'message_end': {
      const { role } = event.message
      return { ...stats, messages: { ...stats.messages, [role]: (getOwn(stats.messages, role) ?? 0) + 1 } }
    }
    case 'tool_execution_end': {
      const { toolName, isError, durationMs } = event
      const known = getOwn(stats.tools, toolName) ?? { calls: 0, errors: 0, durationMs: 0 }
      const tool = {
        calls: known.calls + 1,
        errors: known.errors + (isError ? 1 : 0),
        durationMs: known.durationMs + durationMs,
      }
      return { ...stats, tools: { ...stats.tools, [toolName]: tool } }
    }
    case 'turn_end':
      return { ...addRole(stats, event.role ?? 'default', { turns: 1, usage: event.usage }), turns: stats.turns + 1 }
    case 'compaction':
      return event.usage === undefined ? stats : addRole(stats, 'summary', { turns: 0, usage: event.usage })
    case 'summary_usage': {
      const role = event.reason === 'extension' ? 'extension' : 'summary'
      return addRole(stats, role, { turns: 0, usage: event.usage })
    }
    case 'agent_end':
      return { ...stats, runs: stats.runs + 1, durationMs: stats.durationMs + event.durationMs }
    default:
      return stats
  }
}

type RoleStats = NonNullable<SessionStats['roles']>[string]

/** Adds to a role and to the sum. */
function addRole(stats: SessionStats, role: string, { turns, usage }: RoleStats): SessionStats {
  const { roles = {} } = stats
  const known = getOwn(roles, role) ?? { turns: 0, usage: noUsage }
  const sum = { turns: known.turns + turns, usage: addUsage(known.usage, usage) }
  return { ...stats, usage: addUsage(stats.usage, usage), roles: { ...roles, [role]: sum } }
}
