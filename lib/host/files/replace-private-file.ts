// A reader of our own files sees the old one or the new one, whole, and so does whoever comes after a power cut; nobody else sees either.
import { closeSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomIds } from '../../streams/values/identifiers.ts'
import { createPrivateFile } from './private-files.ts'
import type { ReplaceOptions } from './replace-file.ts'
import { storageFailure } from './storage-failure.ts'

/**
 * Replaces or creates a file at once, mode 0600 whatever it was; a link in its place is replaced.
 * @param options `synced` false: for what can be made again. Default: true
 * @throws Failure `storage`; the old file stays, and nothing beside it
 */
export function replacePrivateFile(
  file: string,
  content: string,
  { synced = true }: Pick<ReplaceOptions, 'synced'> = {},
): void {
  const beside = `${file}.${randomIds().short()}`
  try {
    const descriptor = createPrivateFile(beside)
    try {
      writeFileSync(descriptor, content) // all of it
      if (synced) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, file)
  } catch (thrown) {
    rmSync(beside, { force: true })
    throw storageFailure(`write ${file}`, thrown)
  }
}
