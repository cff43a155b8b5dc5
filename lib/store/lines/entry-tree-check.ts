// Checks that the entries of a log form a tree: each id once, no entry after its child.
// A parent that is nowhere in the log is left to the readers: a lost line is not a cycle.
import { readLineHead } from './peek-line.ts'
import type { LineHead } from './peek-line.ts'
import { parseLine } from './parse-line.ts'

export interface EntryTreeCheck {
  /**
   * Why the line breaks the tree; undefined if it does not. Call in line order.
   * @param head the line's head, if already read
   */
  problem(line: Buffer, head?: LineHead): string | undefined
}

const nodeTypes = new Set(['message_end', 'compaction', 'branch_summary'])
/** Bytes at the start of a line that usually hold the ids. */
const startLength = 256
const node =
  /"event":\{"type":"(?:message_end|compaction|branch_summary)","entryId":"([a-z2-7]{8})","parentId":(?:null|"([a-z2-7]{8})")/

export function createEntryTreeCheck(): EntryTreeCheck {
  const known = new Set<string>()
  const awaited = new Set<string>() // parents that no line before their child has
  return {
    problem(line, head = readLineHead(line)) {
      if (head?.seq === undefined || !nodeTypes.has(head.type)) return undefined
      const ids = readIds(line)
      if (ids === undefined) return undefined // the reader of the line reports its damage
      const { entryId, parentId } = ids
      if (parentId === entryId) return `its entry ${entryId} is its own parent`
      if (known.has(entryId)) return `there is an entry ${entryId} before it already`
      if (awaited.has(entryId)) return `a child of its entry ${entryId} stands before it`
      known.add(entryId)
      if (parentId !== undefined && !known.has(parentId)) awaited.add(parentId)
      return undefined
    },
  }
}

interface NodeIds {
  readonly entryId: string
  readonly parentId: string | undefined
}

function readIds(line: Buffer): NodeIds | undefined {
  const [, entryId, parentId] = node.exec(line.toString('latin1', 0, startLength)) ?? []
  return entryId === undefined ? parseIds(line) : { entryId, parentId }
}

/** A line in an unusual form is parsed whole. */
function parseIds(line: Buffer): NodeIds | undefined {
  const parsed = parseLine(line)
  if (!parsed.ok) return undefined
  const { event } = parsed.record
  if (event.type !== 'message_end' && event.type !== 'compaction' && event.type !== 'branch_summary') return undefined
  return { entryId: event.entryId, parentId: event.parentId ?? undefined }
}
