// Builds the entry tree of an import.
// Guarantees: each entry follows an earlier one, so the result is a tree whatever the file claims.
import type { Ids } from '../../streams/values/identifiers.ts'

/**
 * Position of a foreign entry in the tree: the entry itself, or the node before it if it is not a node. `null` = before
 * the first.
 */
export interface TreePosition {
  readonly entryId: string | null
  readonly isNode: boolean
}

export interface EntryTree {
  /** The node that the next entry follows. */
  readonly head: string | null
  /** Id of a new entry; never returned twice. */
  freshId(): string
  /** Adds a node after `parentId`, registered as `foreignId`. It becomes the head. */
  addNode(entryId: string, parentId: string | null, foreignId?: string): void
  /** Registers an entry that is not a node: as a parent it means the node before it, which becomes the head. */
  addOther(parentId: string | null, foreignId?: string): void
  find(foreignId: string): TreePosition | undefined
  /** The child of `ancestor` on the path to `entryId`; undefined if that is not an ancestor. */
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
