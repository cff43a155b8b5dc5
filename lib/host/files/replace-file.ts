// A reader sees the old file or the new one, whole, and no crash leaves half of one.
import { closeSync, openSync, writeFileSync, fsyncSync, renameSync, rmSync } from 'node:fs'
import { lastValueFrom, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { createPrivateFile } from './private-files.ts'
import { storageFailure } from './storage-failure.ts'

export interface ReplaceOptions {
  /** Of the new file, whatever the umask. Default: the replaced one's, or 0666 less the umask. */
  readonly mode?: number
  /** False: for what can be made again, the rename is not held up until the content is on the disk. Default: true. */
  readonly synced?: boolean
}

/**
 * Replaces a file or creates it: written beside it, synced, renamed over it. Mode bits and, where possible, owner stay; a
 * new file gets what the umask leaves of 0666. Other hard links keep the old content.
 *
 * Until the new content is being written an abort leaves the old file and no trace; from then on it is carried through. A content
 * that comes in pieces can be aborted until the last one has come; where it fails the old file stays as well.
 * @param content whole, or in pieces, each written as it comes: none is kept in memory; no piece may end in half a character
 * @param file absolute and free of symbolic links (`realTarget`), or a link would be replaced by a file
 */
export async function replaceFile(
  file: string,
  content: string | Observable<string>,
  signal: AbortSignal,
  { mode, synced = true }: ReplaceOptions = {},
): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic') // 10 ms that only writers pay
  signal.throwIfAborted()
  await writeFileAtomic(file, '', {
    ...(mode === undefined ? {} : { mode }),
    fsync: synced,
    tmpfileCreated: (beside): unknown => {
      signal.throwIfAborted()
      if (typeof content !== 'string') return writePieces(beside, content, signal) // the library waits for it
      // not left to the library: it writes once, and where a nearly full disk takes only a part, that part is what it renames
      writeFileSync(beside, content)
      return undefined
    },
  })
}

async function writePieces(file: string, pieces$: Observable<string>, signal: AbortSignal): Promise<void> {
  const descriptor = openSync(file, 'w')
  try {
    const written$ = pieces$.pipe(
      tap((piece) => {
        writeFileSync(descriptor, piece) // where the last one ended
      }),
      takeUntil(fromSignal(signal)),
    )
    await lastValueFrom(written$, { defaultValue: '' })
  } finally {
    closeSync(descriptor)
  }
  signal.throwIfAborted()
}

// A reader of our own files sees the old one or the new one, whole, and so does whoever comes after a power cut; nobody else sees either.

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
