// Every imported entry stands behind one that was imported before it: whatever a file claims, the result is a tree.
import type { Ids } from '../../streams/values/identifiers.ts'

/** Where a foreign entry stands in our tree: itself, or the node before it where it is none. `null` = before the first. */
export interface TreePosition {
  readonly entryId: string | null
  readonly isNode: boolean
}

export interface EntryTree {
  /** The node that the next entry follows. */
  readonly head: string | null
  /** Of an entry that may be added; never given twice. */
  freshId(): string
  /** A new node behind `parentId`, known by `foreignId` from now on. It is the head now. */
  addNode(entryId: string, parentId: string | null, foreignId?: string): void
  /** An entry that is no node of ours: who names it as a parent means the node before it. The head is that node now. */
  addOther(parentId: string | null, foreignId?: string): void
  find(foreignId: string): TreePosition | undefined
  /** The node that follows `ancestor` on the way to `entryId`; undefined where that is no ancestor. */
  after(ancestor: string | null, entryId: string | null): string | undefined
}

/** An empty tree. */
export function createEntryTree(ids: Pick<Ids, 'short'>): EntryTree {
  const positions = new Map<string, TreePosition>()
  const parents = new Map<string, string | null>()
  let head: string | null = null
  return {
    get head() {
      return head
    },
    freshId: () => {
      let id = ids.short()
      while (parents.has(id)) id = ids.short()
      return id
    },
    addNode: (entryId, parentId, foreignId) => {
      parents.set(entryId, parentId)
      head = entryId
      if (foreignId !== undefined) positions.set(foreignId, { entryId, isNode: true })
    },
    addOther: (parentId, foreignId) => {
      head = parentId
      if (foreignId !== undefined) positions.set(foreignId, { entryId: parentId, isNode: false })
    },
    find: (foreignId) => positions.get(foreignId),
    after: (ancestor, entryId) => {
      for (let id = entryId; id !== null && id !== ancestor;) {
        const parent: string | null = parents.get(id) ?? null
        if (parent === ancestor) return id
        id = parent
      }
      return undefined
    },
  }
}
