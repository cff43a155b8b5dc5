// Computes the part of a file's content that survives a power failure.

/**
 * How a file system loses unsynced data. `ordered`: it grows a file in order, as ext4, btrfs and APFS do by default — a
 * first part of the data exists, with NULs or nothing behind it. `unordered`: any 512 bytes can be missing, with NULs
 * instead, and the later bytes exist.
 */
export type LosingMode = 'ordered' | 'unordered'

export type Change = { readonly at: number; readonly bytes: Buffer } | { readonly cutTo: number }

/** The content of a file on the disk, and the changes since, in order. */
export interface Content {
  readonly synced: Buffer
  readonly changes: readonly Change[]
}

export interface Chance {
  readonly random: () => number
  readonly mode: LosingMode
}

/** The synced content, and a random part of the rest. */
export function survivingBytes(content: Content, { random, mode }: Chance): Buffer {
  return mode === 'ordered' ? inOrder(content, random) : inAnyOrder(content, random)
}

/** The content after one more change. */
export function applied(content: Buffer, change: Change): Buffer {
  if ('cutTo' in change)
    return change.cutTo <= content.length ? content.subarray(0, change.cutTo) : grown(content, change.cutTo)
  const next = grown(content, change.at + change.bytes.length)
  change.bytes.copy(next, change.at)
  return next
}

/** A copy of at least this many bytes, with NULs behind. */
function grown(content: Buffer, length: number): Buffer {
  const next = Buffer.alloc(Math.max(content.length, length))
  content.copy(next)
  return next
}

/** The first changes, part of the next one, and the file as long as it was or as it was going to be. */
function inOrder({ synced, changes }: Content, random: () => number): Buffer {
  const whole = Math.floor(random() * (changes.length + 1))
  const persisted = changes.slice(0, whole).reduce(applied, synced)
  const next = changes[whole]
  if (next === undefined || 'cutTo' in next) return persisted
  const bytes = next.bytes.subarray(0, Math.floor(random() * next.bytes.length))
  const torn = applied(persisted, { at: next.at, bytes })
  return random() < 0.5 ? torn : grown(torn, next.at + next.bytes.length + Math.floor(random() * 4_096))
}

const sector = 512

/** The file is as long as after one of its changes; any sector written since the sync can be missing. */
function inAnyOrder({ synced, changes }: Content, random: () => number): Buffer {
  const whole = Math.floor(random() * (changes.length + 1))
  const all = changes.slice(0, whole).reduce(applied, synced)
  const persisted = Buffer.from(all)
  for (let from = Math.floor(shared(synced, all) / sector) * sector; from < persisted.length; from += sector) {
    if (random() < 0.5) continue
    const end = Math.min(from + sector, persisted.length)
    persisted.fill(0, from, end)
    if (from < synced.length) synced.copy(persisted, from, from, Math.min(end, synced.length))
  }
  return persisted
}

/** The number of equal bytes at the beginning of both. */
function shared(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length)
  for (let at = 0; at < most; at += 1) if (one[at] !== other[at]) return at
  return most
}
