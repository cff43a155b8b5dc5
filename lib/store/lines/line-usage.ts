// What a turn used is read from its line without the rest of it: opening a long log adds up very many of them.
import { noUsage } from '../../streams/messages/message.ts'
import type { Usage } from '../../streams/messages/message.ts'
import { parseEvent } from './parse-event.ts'
import { parsedJson } from './parsed-json.ts'

const before = Buffer.from(',"usage":')
const behind = Buffer.from(',"hasToolCalls":')

/** The usage of a `turn_end`, whose seal is right; undefined where it has none. */
export function lineUsage(line: Buffer): Usage | undefined {
  const from = line.indexOf(before)
  const to = line.lastIndexOf(behind)
  const usage = from === -1 || to < from ? undefined : parsedJson(line.toString('latin1', from + before.length, to))
  if (isUsage(usage)) return usage
  const event = parseEvent(line)
  return event?.type === 'turn_end' ? event.usage : undefined
}

const counts = ['input', 'output', 'cacheRead', 'cacheWrite', 'totalTokens']
const costs = Object.keys(noUsage.cost)

function isUsage(value: unknown): value is Usage {
  if (!hasNumbers(value, counts)) return false
  const { reasoning = 0, cost } = value
  return typeof reasoning === 'number' && (cost === 'unknown' || hasNumbers(cost, costs))
}

function hasNumbers(value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  for (const name of names) if (!(name in value) || typeof Reflect.get(value, name) !== 'number') return false
  return true
}
