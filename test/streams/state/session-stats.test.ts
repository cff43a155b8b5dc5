// Tests the statistics of a session.
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { foldStats, noStats } from '../../../lib/streams/state/session-stats.ts'
import { everyEvent, sampleEvents, sampleUsage } from '../events/samples.ts'

const foldAll = (events: readonly AgentEvent[]) => events.reduce(foldStats, noStats())

it('counts runs, turns, messages, calls by tool, usage and time', () => {
  const { turn_end, agent_end, message_end, tool_execution_end: call } = sampleEvents
  const events: AgentEvent[] = [
    message_end,
    message_end,
    { ...call, toolName: 'bash', isError: false, durationMs: 5 },
    { ...call, toolName: 'bash', isError: true, durationMs: 7 },
    { ...call, toolName: '__proto__', isError: false, durationMs: 1 },
    turn_end,
    turn_end,
    { ...agent_end, durationMs: 30 },
  ]
  const stats = foldAll(events)
  expect(stats).toMatchObject({ runs: 1, turns: 2, messages: { [message_end.message.role]: 2 }, durationMs: 30 })
  expect(stats.usage.totalTokens).toBe(2 * sampleUsage.totalTokens)
  expect(Object.entries(stats.tools)).toEqual([
    ['bash', { calls: 2, errors: 1, durationMs: 12 }],
    ['__proto__', { calls: 1, errors: 0, durationMs: 1 }],
  ])
})

it('accepts every event type, and is empty at the start', () => {
  expect(foldAll([])).toEqual(noStats())
  expect(foldAll(everyEvent).turns).toBe(1)
})

it('counts usage by role: summaries and requests of extensions too [CONFIG-role_usage]', () => {
  const { turn_end } = sampleEvents
  const used = (role: string | undefined) => ({ ...turn_end, usage: sampleUsage, ...(role && { role }) })
  const events: AgentEvent[] = [
    used(undefined),
    used('commit'),
    used('commit'),
    { type: 'summary_usage', reason: 'branch', usage: sampleUsage },
    { type: 'summary_usage', reason: 'extension', usage: sampleUsage },
  ]
  const { roles = {}, usage } = events.reduce(foldStats, noStats())
  expect(Object.entries(roles).map(([role, { turns }]) => [role, turns])).toEqual([
    ['default', 1],
    ['commit', 2],
    ['summary', 0],
    ['extension', 0],
  ])
  expect(roles['commit']?.usage.input).toBe(sampleUsage.input * 2)
  expect(usage.input).toBe(sampleUsage.input * 5)
})
