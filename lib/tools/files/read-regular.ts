// Reads a whole file for a tool that changes it.
// Guarantees: a pipe or device in its place never holds the call, also if it appears after a check of the name.
import { closeSync, fstatSync } from 'node:fs'
import { FileProblem } from '../shared/file-problem.ts'
import type { ChangedFile } from './text-source.ts'
import { stampOfFile } from './file-change.ts'
import type { PresentFile } from './file-change.ts'
import { noStamp, stampOf } from './file-views.ts'
import { openToRead } from './fenced-file.ts'
import { wholeContent } from './read-window.ts'
import type { PathFence } from '../../streams/ports/sandbox.ts'

interface NamedFile extends Pick<ChangedFile, 'client'> {
  /** Absolute, as requested. */
  readonly path: string
  /** The real target. */
  readonly target: string
  /** The fence of the call. Undefined: every file can be opened. */
  readonly fence?: PathFence | undefined
}

/** The content, which a client may have, and the state of the file before it was read. @throws FileProblem if it is not a regular file */
export async function readRegular(
  { path, target, fence, client }: NamedFile,
  signal: AbortSignal,
): Promise<PresentFile & { readonly bytes: Buffer }> {
  if (client?.bytes !== undefined) return { stamp: (await stampOfFile(target)) ?? noStamp, bytes: client.bytes }
  const descriptor = await openToRead(target, fence)
  try {
    const status = fstatSync(descriptor, { bigint: true })
    if (!status.isFile()) throw new FileProblem(notReplaced(path))
    return { stamp: stampOf(status), bytes: await wholeContent(descriptor, signal) }
  } finally {
    closeSync(descriptor)
  }
}

/** The message for a file that a tool does not change. */
export function notReplaced(path: string): string {
  return `${path} is a pipe, socket or device, not a regular file; it is not replaced.`
}
