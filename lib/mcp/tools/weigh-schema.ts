// Finds input schemas that would cost too much to compile, to check with or to send.
import { isDeeperThan, isRecord } from '../../streams/values/json.ts'
import { formatBytes } from '../../streams/values/format-bytes.ts'

const maxBytes = 65_536
const maxDepth = 32
/** Objects and lists of the schema with each `$ref` written out, but for those of a recursion. */
const maxWeight = 10_000

/** The cost of a schema. */
export interface SchemaWeight {
  /** Why the schema cannot be used; undefined if it can. */
  readonly problem?: string
  /** How many branches can check a value at each of its levels; 0 if no part refers to one that contains it. */
  readonly branches: number
}

export function weighSchema(schema: unknown): SchemaWeight {
  const problem = sizeProblem(schema)
  if (problem !== undefined) return { problem, branches: 0 }
  const { weight, references, isRecursive } = writeOut(schema)
  if (weight > maxWeight) return { problem: `with its references it has more than ${maxWeight} parts`, branches: 0 }
  return { branches: isRecursive ? Math.max(2, references) : 0 }
}

function sizeProblem(schema: unknown): string | undefined {
  if (isDeeperThan(schema, maxDepth)) return `it is nested more than ${maxDepth} levels deep`
  const size = Buffer.byteLength(JSON.stringify(schema))
  return size > maxBytes ? `it has ${formatBytes(size)}; ${formatBytes(maxBytes)} are allowed` : undefined
}

interface WrittenOut {
  readonly weight: number
  readonly references: number
  readonly isRecursive: boolean
}

function writeOut(schema: unknown): WrittenOut {
  const weights = new Map<unknown, number | 'open'>()
  let references = 0
  let isRecursive = false
  const weigh = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0
    const known = weights.get(node)
    if (known === 'open') isRecursive = true
    if (known !== undefined) return known === 'open' ? 0 : known
    weights.set(node, 'open')
    const target = isRecord(node) ? targetOf(schema, node['$ref']) : undefined
    if (target !== undefined) references += 1
    let weight = 1
    const parts: readonly unknown[] = Object.values(node)
    for (const part of [...parts, target]) weight = Math.min(weight + weigh(part), maxWeight + 1)
    weights.set(node, weight)
    return weight
  }
  return { weight: weigh(schema), references, isRecursive }
}

/** The part that a `$ref` points to; undefined if it points out of the schema or to nothing. */
function targetOf(root: unknown, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  if (ref === '#') return root
  return ref
    .slice(2)
    .split('/')
    .map((part) => decodePointer(part))
    .reduce<unknown>((node, part) => (isIndexable(node) && Object.hasOwn(node, part) ? node[part] : undefined), root)
}

function isIndexable(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null
}

function decodePointer(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part // not encoded
  }
}
