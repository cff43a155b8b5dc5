// Stores the full output of a command in a private, bounded file.
// Guarantees: a failure never fails the call.
import { closeSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createPrivateFile, ensurePrivateFolder } from './private-files.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'

export interface SpillFile {
  /** Undefined if nothing could be stored. */
  readonly path: string | undefined
  /** True if it holds only the beginning, because of its size limit. */
  readonly isCapped: boolean
  /** Why it is missing or incomplete. */
  readonly problem: string | undefined
  /** Appends; after a problem or at the limit it does nothing. */
  write(text: string): void
  close(): void
  /** Closes and removes it. */
  remove(): void
}

export interface SpillOptions {
  /** Absolute; created with mode 0700. */
  readonly folder: string
  readonly sessionId: string
  /** Bytes. Default 256 MiB. */
  readonly maxBytes?: number
}

/** Creates `<folder>/<sessionId>/<random>.txt`, mode 0600; failures go to `problem`, never thrown. */
export function createSpillFile({ folder, sessionId, maxBytes = 256 * 2 ** 20 }: SpillOptions): SpillFile {
  const opened = open(folder, sessionId)
  let descriptor = opened.descriptor
  let problem = opened.problem
  let isCapped = false
  let bytes = 0
  const attempt = (act: () => void): void => {
    try {
      act()
    } catch (thrown) {
      problem ??= Failure.from(thrown, 'storage').message
    }
  }
  const close = (): void => {
    const closing = descriptor
    descriptor = undefined
    if (closing !== undefined) attempt(() => closeSync(closing))
  }
  return {
    path: opened.path,
    get isCapped() {
      return isCapped
    },
    get problem() {
      return problem
    },
    write: (text) => {
      const target = descriptor
      if (target === undefined || problem !== undefined || isCapped) return
      const content = Buffer.from(text)
      isCapped = bytes + content.length > maxBytes
      if (isCapped) return
      bytes += content.length
      attempt(() => writeFileSync(target, content))
    },
    close,
    remove: () => {
      close()
      const { path: file } = opened
      if (file !== undefined) attempt(() => rmSync(file, { force: true }))
    },
  }
}

function open(folder: string, sessionId: string): { path?: string; descriptor?: number; problem?: string } {
  // the id comes from a client or a log: it may name a file, not a path
  if (!/^[\w-]{1,64}$/.test(sessionId)) return { problem: 'the session id cannot name a folder' }
  const own = path.join(folder, sessionId)
  const file = path.join(own, `${randomIds().short()}.txt`)
  try {
    ensurePrivateFolder(own, folder)
    return { path: file, descriptor: createPrivateFile(file) }
  } catch (thrown) {
    return { problem: Failure.from(thrown, 'storage').message }
  }
}
