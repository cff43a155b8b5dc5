// What a session has done, in a few lines for people; what nobody knows is not told as nothing.
import type { SessionStats } from '../../../lib/streams/state/session-stats.ts'

/** No line has more than it needs; durations in seconds. */
export function statsText({ runs, turns, messages, tools, usage, durationMs }: SessionStats): string {
  const calls = Object.entries(tools)
  const lines = [
    `${count(runs, 'run')}, ${count(turns, 'turn')}, ${seconds(durationMs)}`,
    `messages: ${
      Object.entries(messages)
        .map(([role, number]) => `${role} ${number}`)
        .join(', ') || 'none'
    }`,
    `tokens: ${usage.input} in, ${usage.output} out, ${usage.cacheRead} read from the cache, ${usage.cacheWrite} written to it`,
    usage.cost === 'unknown' ? 'cost: not known' : `cost: $${usage.cost.total.toFixed(4)}`,
    ...calls.map(([name, tool]) => {
      const failed = tool.errors === 0 ? '' : `, ${tool.errors} failed`
      return `${name}: ${count(tool.calls, 'call')}${failed}, ${seconds(tool.durationMs)}`
    }),
  ]
  return lines.join('\n')
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
