// Reads a text file up to a bound.
// Guarantees: a pipe or device never blocks; no more than the bound is read.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { describeThrown } from '../../streams/values/failure.ts'

export interface BoundedText {
  readonly text: string
  /** True if the file is longer; the text then ends at a whole character. */
  readonly isCut: boolean
  /** Bytes of the whole file. */
  readonly bytes: number
}

/**
 * Undefined if there is no such file; `problem` says why a file that exists cannot be read.
 * @param flags further flags of `open`
 */
export function readBoundedText(
  file: string,
  maxBytes: number,
  flags = 0,
): BoundedText | { readonly problem: string } | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | flags)
    const status = fstatSync(descriptor)
    if (status.isDirectory()) return undefined
    if (!status.isFile()) return { problem: 'it is a pipe, socket or device, not a regular file' }
    return readText(descriptor, maxBytes)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined
    return { problem: describeThrown(error) }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function readText(descriptor: number, maxBytes: number): BoundedText {
  const buffer = Buffer.alloc(Math.min(maxBytes, fstatSync(descriptor).size) + 1)
  let length = 0
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length)
    if (count === 0) break
    length += count
  }
  const isCut = length === buffer.length
  const text = buffer.toString('utf8', 0, Math.min(length, maxBytes)).replace(/^\u{FEFF}/u, '')
  return { text: isCut ? text.replace(/\u{FFFD}+$/u, '') : text, isCut, bytes: fstatSync(descriptor).size }
}
