// Writes text pieces to a new file, a device or a named pipe, as fast as it takes them.
// Guarantees: other work runs between the pieces; memory holds at most one batch of them.
import { constants, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { once } from 'node:events'
import { Socket } from 'node:net'
import path from 'node:path'
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { errnoOf, storageFailure } from './storage-failure.ts'

/** UTF-16 units that are written at once. */
const batchLength = 65_536
/** Milliseconds of making pieces before other work runs. */
const sliceMs = 8
/** Milliseconds between two attempts to open a pipe that has no reader. */
const readerPollMs = 50

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants

/**
 * Writes beside the file, syncs, then gives it its name: a file that appeared meanwhile is replaced only with
 * `overwrite`. Mode 0600. Returns the UTF-16 units written.
 * @param file absolute, in a real folder
 */
export async function writeNewFile(
  file: string,
  pieces: Iterable<string>,
  { overwrite, signal }: { readonly overwrite: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const beside = path.join(path.dirname(file), `.rxpi-${randomIds().session()}`)
  try {
    const length = await writeHandle(await open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600), pieces, {
      signal,
      finish: async (handle) => {
        await handle.chmod(0o600) // whatever the umask
        await handle.sync()
      },
    })
    signal.throwIfAborted()
    if (overwrite) renameSync(beside, file)
    else renameIfAbsent(beside, file)
    return length
  } catch (thrown) {
    throw writeFailure(file, thrown)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Fails if the name exists: a hard link never replaces one. A file system without hard links replaces it. */
function renameIfAbsent(beside: string, file: string): void {
  try {
    linkSync(beside, file)
  } catch (thrown) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(thrown) ?? '')) throw thrown
    renameSync(beside, file)
  }
}

/** Returns the UTF-16 units written. */
export async function writeToDevice(file: string, pieces: Iterable<string>, signal: AbortSignal): Promise<number> {
  try {
    return await writeHandle(await open(file, O_WRONLY | O_NOFOLLOW | O_NOCTTY), pieces, { signal })
  } catch (thrown) {
    throw writeFailure(file, thrown)
  }
}

interface HandleOptions {
  readonly signal: AbortSignal
  finish?(handle: FileHandle): Promise<void>
}

async function writeHandle(
  handle: FileHandle,
  pieces: Iterable<string>,
  { signal, finish }: HandleOptions,
): Promise<number> {
  try {
    const length = await inBatches(pieces, signal, (batch) => handle.writeFile(batch))
    await finish?.(handle)
    return length
  } finally {
    await handle.close()
  }
}

/** Waits for a reader first. Returns the UTF-16 units written. */
export async function writeToPipe(file: string, pieces: Iterable<string>, signal: AbortSignal): Promise<number> {
  let pipe: Socket | undefined
  try {
    const { fd } = await openPipe(file, signal)
    const writable = (pipe = new Socket({ fd, readable: false, writable: true }))
    const broken = new Promise<never>((_, reject) => writable.once('error', reject))
    broken.catch(() => undefined) // each write below awaits it
    const length = await inBatches(pieces, signal, (batch) =>
      writable.write(batch) ? undefined : Promise.race([once(writable, 'drain', { signal }), broken]),
    )
    await Promise.race([new Promise<void>((resolve) => writable.end(resolve)), broken, aborted(signal)])
    return length
  } catch (thrown) {
    throw writeFailure(file, thrown)
  } finally {
    pipe?.destroy()
  }
}

/** Without O_NONBLOCK, opening would block a thread until a reader comes. */
async function openPipe(file: string, signal: AbortSignal): Promise<{ readonly fd: number }> {
  for (;;) {
    try {
      return { fd: openSync(file, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) }
    } catch (thrown) {
      if (errnoOf(thrown) !== 'ENXIO') throw thrown
      await wait(readerPollMs, undefined, { signal })
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** Joins pieces to batches. @throws the signal's reason */
async function inBatches(
  pieces: Iterable<string>,
  signal: AbortSignal,
  write: (batch: string) => unknown,
): Promise<number> {
  let batch = ''
  let length = 0
  let until = performance.now() + sliceMs
  const flush = async (): Promise<void> => {
    length += batch.length
    await write(batch)
    batch = ''
    signal.throwIfAborted()
  }
  signal.throwIfAborted()
  for (const piece of pieces) {
    batch += piece
    if (batch.length >= batchLength) await flush()
    if (performance.now() < until) continue
    await nextTick()
    signal.throwIfAborted()
    until = performance.now() + sliceMs
  }
  if (batch !== '') await flush()
  return length
}

function writeFailure(file: string, thrown: unknown): unknown {
  if (thrown instanceof Failure || (thrown instanceof Error && thrown.name === 'AbortError')) return thrown
  const errno = errnoOf(thrown)
  const data = errno === undefined ? {} : { errno }
  if (errno === 'EEXIST') return new Failure('bad_request', `${file} exists already; name another file`, { data })
  if (errno === 'EPIPE')
    return new Failure('storage', `${file} was closed by its reader before the end`, { data, cause: thrown })
  return storageFailure(`write ${file}`, thrown)
}
