// Which blobs a log names is seen from its bytes alone: damaged, foreign and repaired files count as much as whole ones.
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'

/** Bytes of one look. */
const lookBytes = 1_048_576
/** The longest that a name is told with: `blob": "<64 digits>"`, with spaces where others wrote it. */
const longestMention = 96

/**
 * Gives each name that stands in a file to `told`, some of them twice. Yields nothing (an empty list) after each mebibyte, so
 * that others have their turn; a file that is gone names nothing. @throws Failure `storage`
 */
export function* namedBlobs(file: string, told: (hash: string) => void): Generator<readonly never[], void> {
  const descriptor = opened(file)
  if (descriptor === undefined) return
  try {
    const buffer = Buffer.allocUnsafe(lookBytes)
    let kept = 0 // bytes of the last look that a name may begin in
    for (;;) {
      const count = readSync(descriptor, buffer, kept, buffer.length - kept, null)
      const seen = buffer.subarray(0, kept + count)
      tellNames(seen, told)
      if (count === 0) return
      kept = Math.min(longestMention, seen.length)
      buffer.copyWithin(0, seen.length - kept, seen.length)
      yield []
    }
  } catch (thrown) {
    throw storageFailure(`read ${file}`, thrown)
  } finally {
    closeSync(descriptor)
  }
}

const field = Buffer.from('blob"')
const mention = /^blob"\s{0,8}:\s{0,8}"([0-9a-f]{64})"/

function tellNames(bytes: Buffer, told: (hash: string) => void): void {
  for (let at = bytes.indexOf(field); at >= 0; at = bytes.indexOf(field, at + field.length)) {
    const hash = mention.exec(bytes.toString('latin1', at, at + longestMention))?.[1]
    if (hash !== undefined) told(hash)
  }
}

function opened(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ELOOP') return undefined
    throw storageFailure(`open ${file}`, thrown)
  }
}
