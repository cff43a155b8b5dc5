// A reader of our own files sees the old one or the new one, whole; nobody else sees either.
import { closeSync, renameSync, rmSync, writeSync } from 'node:fs'
import { createPrivateFile } from '../../host/private-files.ts'
import { storageFailure } from '../../host/storage-failure.ts'
import { randomIds } from '../../streams/ids.ts'

/** Replaces or creates a file, mode 0600; not synced. @throws Failure `storage` */
export function replacePrivateFile(file: string, content: string): void {
  const beside = `${file}.${randomIds().short()}`
  try {
    const descriptor = createPrivateFile(beside)
    try {
      const bytes = Buffer.from(content)
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, file)
  } catch (thrown) {
    rmSync(beside, { force: true })
    throw storageFailure(`write ${file}`, thrown)
  }
}
