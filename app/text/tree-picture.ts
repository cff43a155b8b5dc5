// Draws a session's tree as lines: time goes down, the current branch keeps its column.
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { formatAge } from './age.ts'

type Tree = ResultOf<'get_tree'>
type Node = Tree['entries'][number]

export interface TreeLine {
  readonly text: string
  /** The same without the columns of ids and ages. */
  readonly picture: string
  /** The line shows an entry, or a session that begins at one. */
  readonly entryId?: string
  readonly session?: string
  /** Not on the path to the head. */
  readonly isAside: boolean
}

/**
 * One line a node, and one for each session that begins at it. Linear in the nodes, whatever their shape.
 * @param now Unix ms
 */
export function drawTree({ entries, children }: Pick<Tree, 'entries' | 'children'>, now: number): TreeLine[] {
  const shape = arrangeNodes(entries)
  const sessionsAt = Map.groupBy(children, ({ entryId }) => entryId)
  const lines: TreeLine[] = []
  for (const { node, depth, isSide } of shape) {
    const { entryId } = node
    const picture = nodePicture(node, { depth, isSide })
    lines.push({ text: lineStart(entryId, node.at, now) + picture, picture, entryId, isAside: !node.isOnBranch })
    for (const child of sessionsAt.get(node.entryId) ?? []) {
      const about = child.title ?? child.firstWords ?? '(no prompt)'
      const own = `${columnLines(depth)}│ ⇢ session ${child.session}: ${about}`
      const text = lineStart('', child.updatedAt, now) + own
      lines.push({ text, picture: own, session: child.session, isAside: !node.isOnBranch })
    }
  }
  return lines
}

interface Placed {
  readonly node: Node
  /** Columns to the left. */
  readonly depth: number
  /** The first node of a branch beside its column. */
  readonly isSide: boolean
}

/** Depth first with an explicit stack: a conversation of 100,000 entries is that deep. */
function arrangeNodes(entries: readonly Node[]): Placed[] {
  const { childrenOf, roots } = groupByParent(entries)
  const latest = latestBelow(entries)
  const left: Placed[] = []
  const placed: Placed[] = []
  const visited = new Set<string>()
  const add = (nodes: readonly Node[], depth: number): void => {
    const main = mainBranch(nodes, latest)
    if (main === undefined) return
    left.push({ node: main, depth, isSide: false }) // popped last
    const sides = nodes.filter((node) => node !== main)
    for (const node of sides.toReversed()) left.push({ node, depth: depth + 1, isSide: true })
  }
  const drain = (): void => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (visited.has(next.node.entryId)) continue
      visited.add(next.node.entryId)
      placed.push(next)
      add(childrenOf.get(next.node.entryId) ?? [], next.depth)
    }
  }
  add(roots, 0)
  drain()
  for (const node of entries) {
    // a cycle has no root: it begins at its first node
    if (!visited.has(node.entryId)) left.push({ node, depth: 0, isSide: false })
    drain()
  }
  return placed
}

function groupByParent(entries: readonly Node[]) {
  const known = new Set(entries.map(({ entryId }) => entryId))
  const roots: Node[] = []
  const childrenOf = new Map<string, Node[]>()
  for (const node of entries) {
    const { parentId } = node
    if (parentId === null || !known.has(parentId)) roots.push(node)
    else {
      const siblings = childrenOf.get(parentId)
      if (siblings === undefined) childrenOf.set(parentId, [node])
      else siblings.push(node)
    }
  }
  return { roots, childrenOf }
}

/** The newest `seq` below each node: a child is written after its parent. */
function latestBelow(entries: readonly Node[]): ReadonlyMap<string, number> {
  const latest = new Map<string, number>()
  for (const { entryId, parentId, seq } of entries.toReversed()) {
    const own = Math.max(latest.get(entryId) ?? 0, seq)
    latest.set(entryId, own)
    if (parentId !== null) latest.set(parentId, Math.max(latest.get(parentId) ?? 0, own))
  }
  return latest
}

/** The node that keeps the column: on the path to the head, else the branch with the newest entry. */
function mainBranch(nodes: readonly Node[], latest: ReadonlyMap<string, number>): Node | undefined {
  const newest = (node: Node): number => latest.get(node.entryId) ?? 0
  return (
    nodes.find(({ isOnBranch }) => isOnBranch) ??
    nodes.reduce<Node | undefined>(
      (best, node) => (best === undefined || newest(node) > newest(best) ? node : best),
      undefined,
    )
  )
}

function nodePicture(node: Node, { depth, isSide }: Omit<Placed, 'node'>): string {
  const glyph = node.isHead ? '◉' : node.isOnBranch ? '●' : '○'
  const column = isSide ? `${columnLines(depth - 1)}├─` : columnLines(depth)
  const label = node.label === undefined ? '' : `  [${node.label}]`
  return `${column}${glyph} ${nodeText(node)}${label}${contextMarks(node)}${node.isHead ? '  ← head' : ''}`
}

/** Marks a message that the model does not receive as it is. */
function contextMarks({ pinned, received }: Node): string {
  const marks = [...(pinned === true ? ['pinned'] : []), ...(received === undefined ? [] : [received])]
  return marks.length === 0 ? '' : `  (${marks.join(', ')})`
}

function lineStart(entryId: string, at: number, now: number): string {
  return `${entryId.padEnd(8)}  ${formatAge(at, now).padEnd(10)}  `
}

/** Deeper columns are counted, not drawn. */
const maxColumns = 12

function columnLines(depth: number): string {
  if (depth <= maxColumns) return '│ '.repeat(depth)
  return `${'│ '.repeat(maxColumns - 1)}┊${depth} `
}

/** The first words of a node, with its speaker. */
export function nodeText({ role, firstWords, tools = [] }: Node): string {
  const calls = tools.length === 0 ? '' : `→ ${counted(tools)}`
  switch (role) {
    case 'user':
      return `you: ${firstWords}`
    case 'assistant':
      return `model: ${[firstWords, calls].filter((text) => text !== '').join(' ')}`
    case 'toolResult':
      return `↳ ${tools.join(', ')}: ${firstWords}`
    case 'bashExecution':
      return `you ran: ${firstWords}`
    case 'branch_summary':
      return `summary of the left branch: ${firstWords}`
    case 'compaction':
      return `summary of earlier messages: ${firstWords}`
    default:
      return `${role}: ${firstWords}`
  }
}

/** Formats `read ×3, bash`. */
function counted(tools: readonly string[]): string {
  const counts = Map.groupBy(tools, (name) => name)
  return [...counts].map(([name, { length }]) => (length === 1 ? name : `${name} ×${length}`)).join(', ')
}
