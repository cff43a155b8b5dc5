// In a file of pi every entry is a node; in ours only messages and summaries are: the others are strung behind the node they happened at.

export interface PiPlace {
  readonly id: string
  readonly parentId: string | null
}

export interface PiPlaces {
  /** Where a node of ours stands: behind whatever happened at its parent. It is the head now. */
  node(entry: { readonly entryId: string; readonly parentId: string | null }): PiPlace
  /** Where something stands that happens at the head. */
  beside(): PiPlace
  moveTo(entryId: string | null): void
  /** A place at the head, where the last entry of the file is another; pi goes on at the last one. */
  atHead(): PiPlace | undefined
}

export function piPlaces(): PiPlaces {
  const tips = new Map<string | null, string>() // node of ours → the last entry that was strung behind it
  let head: string | null = null
  let last: string | null = null
  let count = 0

  function tipOf(entryId: string | null): string | null {
    return tips.get(entryId) ?? null
  }

  function beside(): PiPlace {
    count += 1
    const id = count.toString(16).padStart(8, '0') // no id of ours has a zero
    const parentId = tipOf(head)
    tips.set(head, id)
    last = id
    return { id, parentId }
  }

  return {
    node: ({ entryId, parentId }) => {
      tips.set(entryId, entryId)
      head = entryId
      last = entryId
      return { id: entryId, parentId: tipOf(parentId) }
    },
    beside,
    moveTo: (entryId) => {
      head = entryId
    },
    atHead: () => (tipOf(head) === last ? undefined : beside()),
  }
}
