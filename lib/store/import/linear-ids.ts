// A linear file's entries have no ids: each follows the one before it, and is known by its number.
import type { ForeignObject } from './foreign-object.ts'

/** Gives each entry of a file of version 1, asked in order, an id and the one before it as its parent. */
export function linearIds(): (entry: ForeignObject) => ForeignObject {
  const ids = ['#0'] // the header, which is entry 0
  return (entry) => {
    const parentId = ids.length === 1 ? null : ids.at(-1)
    const id = `#${ids.length}`
    ids.push(id)
    const { firstKeptEntryIndex: index, ...rest } = entry
    if (entry['type'] !== 'compaction' || typeof index !== 'number') return { ...entry, id, parentId }
    return { ...rest, firstKeptEntryId: ids[index], id, parentId }
  }
}
