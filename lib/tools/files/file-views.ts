// Remembers in which state the model last saw each file, so that a tool notices changes by others.
// Guarantees: at most 512 files and 4 MiB of text; the file that was read longest ago is dropped first.
import type { BigIntStats } from 'node:fs'
import type { ShownVersions } from './hashline/shown-versions.ts'
import { digestOf } from '../shared/digest.ts'

/** Metadata of a file that any replacement or write by a usual program changes. */
export interface FileStamp {
  readonly mtimeNs: bigint
  readonly size: bigint
}

/** Of a file that is not on the disk. */
export const noStamp: FileStamp = { mtimeNs: 0n, size: -1n }

export interface FileView {
  readonly stamp: FileStamp
  /** SHA-256 of the content; absent if only a part of the file was read. */
  readonly digest?: string
  /** The content, if it is short. */
  readonly text?: string
}

export interface FileViews {
  remember(session: string, target: string, view: FileView): void
  /** @param target the file's real path */
  find(session: string, target: string): FileView | undefined
}

/** The memory of a session about the files that it sent to the model. */
export interface FileMemory {
  readonly views: FileViews
  readonly versions: ShownVersions
}

export interface FileViewLimits {
  readonly files?: number
  /** UTF-16 units of all stored texts. */
  readonly text?: number
}

/** Longer texts are not stored: a description of the change would not show them. */
const maxText = 65_536

export function fileViews({ files = 512, text = 4 * 2 ** 20 }: FileViewLimits = {}): FileViews {
  const views = new Map<string, FileView>() // the oldest first
  let stored = 0
  const forget = (key: string): void => {
    stored -= views.get(key)?.text?.length ?? 0
    views.delete(key)
  }
  return {
    remember: (session, target, view) => {
      const key = keyOf(session, target)
      forget(key)
      views.set(key, view)
      stored += view.text?.length ?? 0
      for (const oldest of views.keys()) {
        if (views.size <= files && stored <= text) break
        forget(oldest)
      }
    },
    find: (session, target) => views.get(keyOf(session, target)),
  }
}

/** The view of a file whose whole content was read. */
export function wholeView(stamp: FileStamp, bytes: Uint8Array): FileView {
  const isShort = bytes.length <= maxText
  const text = isShort ? { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') } : {}
  return { stamp, digest: digestOf(bytes), ...text }
}

export function stampOf({ mtimeNs, size }: BigIntStats): FileStamp {
  return { mtimeNs, size }
}

/**
 * True if nothing wrote to the file between the two stamps. A change of rights does not count, nor the inode, which
 * some network file systems renumber.
 */
export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.mtimeNs === other.mtimeNs && one.size === other.size
}

function keyOf(session: string, target: string): string {
  return `${session}\0${target}`
}
