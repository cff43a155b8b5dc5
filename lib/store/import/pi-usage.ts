// What an answer of a pi session cost: the oldest files have no total, and what is no count at all becomes nothing, told.
import type { Usage } from '../../streams/messages/message.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { ForeignObject } from './foreign-object.ts'
import { isForeignObject } from './foreign-object.ts'

const counts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
const prices = [...counts, 'total'] as const

/** The usage in our shape, with whatever else stood in it. */
export function piUsage(value: unknown, tell: (message: string) => void): Usage {
  if (!isForeignObject(value) || !counts.every((name) => isCount(value[name]))) {
    tell('the usage of the answer is missing or is no count; it became nothing, at an unknown cost')
    return { ...noUsage, cost: 'unknown' }
  }
  const { cost, reasoning, totalTokens, ...rest } = value
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = counts.map((name) => Number(value[name]))
  return {
    ...rest,
    input,
    output,
    cacheRead,
    cacheWrite,
    ...(isCount(reasoning) ? { reasoning } : {}),
    totalTokens: isCount(totalTokens) ? totalTokens : input + output + cacheRead + cacheWrite,
    cost: costOf(cost),
  }
}

/** `unknown: true` is our own mark: pi wants numbers where we say that we do not know. */
function costOf(value: unknown): Usage['cost'] {
  if (!isForeignObject(value) || value['unknown'] === true || !isPriced(value)) return 'unknown'
  const { input, output, cacheRead, cacheWrite, total } = value
  return { input, output, cacheRead, cacheWrite, total }
}

function isPriced(value: ForeignObject): value is Readonly<Record<(typeof prices)[number], number>> {
  return prices.every((name) => typeof value[name] === 'number')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
