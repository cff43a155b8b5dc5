// Replaces files atomically.
// Guarantees: a reader finds the old file or the new one, whole, also after a crash.
import { closeSync, openSync, writeFileSync, fsyncSync, renameSync, rmSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { lastValueFrom, takeUntil, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { createPrivateFile } from './private-files.ts'
import { storageFailure } from './storage-failure.ts'

export interface ReplaceOptions {
  /** Mode of the new file, whatever the umask. Default: the replaced file's, or 0666 less the umask. */
  readonly mode?: number
  /** False: the rename does not wait for the disk, for content that can be recreated. Default: true. */
  readonly synced?: boolean
  /** Called just before the rename; a rejection leaves the old file. Default: nothing. */
  readonly verify?: () => Promise<void>
}

/**
 * Replaces a file or creates it: writes beside it, syncs, renames over it. Mode bits except setuid and setgid stay, and
 * the owner if possible; a new file gets 0666 less the umask. Other hard links keep the old content.
 *
 * An abort before the new content is being written leaves the old file and no trace; after that the replacement
 * completes. Content in pieces can be aborted until the last piece; if it fails the old file stays too.
 * @param content whole, or in pieces, each written as it comes and not kept in memory; no piece may end inside a
 * character
 * @param file absolute and free of symbolic links (`realTarget`); a link would be replaced by a file
 */
export async function replaceFile(
  file: string,
  content: string | Observable<string>,
  signal: AbortSignal,
  { mode, synced = true, verify }: ReplaceOptions = {},
): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic') // 10 ms that only writers pay
  signal.throwIfAborted()
  const newMode = mode ?? (await replacedMode(file))
  await writeFileAtomic(file, '', {
    ...(newMode === undefined ? {} : { mode: newMode }),
    fsync: synced,
    tmpfileCreated: (beside): unknown => {
      signal.throwIfAborted()
      return writeVerified(beside, content, signal, verify) // the library waits for it
    },
  })
}

async function writeVerified(
  file: string,
  content: string | Observable<string>,
  signal: AbortSignal,
  verify: ReplaceOptions['verify'],
): Promise<void> {
  if (typeof content !== 'string') await writePieces(file, content, signal)
  // not left to the library: it writes once, and on a nearly full disk it would rename a partial file
  else await writeFile(file, content) // in pieces, so that others run
  await verify?.()
}

/** Without setuid and setgid: the new content must not run with the rights of the old. Undefined for a new file. */
async function replacedMode(file: string): Promise<number | undefined> {
  const status = await stat(file).catch(() => undefined) // if it cannot be read, writing says why
  return status === undefined ? undefined : status.mode & 0o1777
}

async function writePieces(file: string, pieces$: Observable<string>, signal: AbortSignal): Promise<void> {
  const descriptor = openSync(file, 'w')
  try {
    const written$ = pieces$.pipe(
      tap((piece) => {
        writeFileSync(descriptor, piece) // the end of the last piece
      }),
      takeUntil(fromSignal(signal)),
    )
    await lastValueFrom(written$, { defaultValue: '' })
  } finally {
    closeSync(descriptor)
  }
  signal.throwIfAborted()
}

// Replaces private files synchronously; only this user can read either version.

/**
 * Replaces or creates a file at once, mode 0600 whatever it was; replaces a link itself.
 * @param options `synced` false: for content that can be recreated. Default: true
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
      writeFileSync(descriptor, content) // every byte
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
