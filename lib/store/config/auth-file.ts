// Reads and changes the file of stored keys.
// Guarantees: it is private to its user, never partial, and changed by one process at a time.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { concat, defer, ignoreElements, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replaceFile } from '../../host/files/replace-file.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { AuthFile } from '../../streams/config/auth-file-schema.ts'
import { Failure } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { checkAuthFile } from '../../streams/validation/file-validators.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { whileLocked } from '../locks/while-locked.ts'

const empty: AuthFile = { v: 1, providers: {} }

/**
 * The content of the file; empty if there is none. @throws Failure `bad_config` if it is damaged, or others may read it
 */
export function readAuthFile(file: string): AuthFile {
  const text = readPrivateText(file)
  if (text === undefined) return empty
  const checked = checkAuthFile(parseAuthFile(file, text))
  if (checked.ok) return checked.value
  throw new Failure('bad_config', `${file} is not valid: ${checked.problem}`)
}

/**
 * Replaces the file with the result of `change`, which runs while no other process changes the file. If it throws, the
 * file stays. Emits the new content and completes; fails with a Failure `storage` or `bad_config`.
 */
export function changeAuthFile(file: string, change: (before: AuthFile) => AuthFile): Observable<AuthFile> {
  return defer(() => {
    ensurePrivateFolder(path.dirname(file))
    return whileLocked(file, () => {
      const after = change(readAuthFile(file))
      const text = `${JSON.stringify(after, undefined, 2)}\n`
      return concat(fromAbortable((signal) => writeAuthFile(file, text, signal)).pipe(ignoreElements()), of(after))
    })
  })
}

async function writeAuthFile(file: string, text: string, signal: AbortSignal): Promise<void> {
  try {
    await replaceFile(file, text, signal, { mode: 0o600 })
  } catch (error) {
    throw storageFailure(`write ${file}`, error)
  }
}

function readPrivateText(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { mode, uid } = fstatSync(descriptor)
    if (uid !== process.geteuid?.()) throw notPrivate(file, 'belongs to another user', 'move it away')
    if ((mode & 0o077) !== 0) {
      throw notPrivate(
        file,
        `has mode ${(mode & 0o777).toString(8)}`,
        `chmod 600 ${file}, and replace its keys, as others may have read them`,
      )
    }
    return readFileSync(descriptor, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error instanceof Failure
      ? error
      : new Failure('bad_config', `${file} could not be read: ${insecureReason(error)}`, { cause: error })
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Opened without following links. */
function insecureReason(error: unknown): string {
  return errnoOf(error) === 'ELOOP' ? 'it is a symbolic link; put the file itself there' : describeThrown(error)
}

function notPrivate(file: string, what: string, advice: string): Failure {
  return new Failure('bad_config', `${file} ${what}, and holds keys: ${advice}`)
}

/** The engine's message is left out: it quotes the text, which holds keys. */
function parseAuthFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(
      'bad_config',
      `${file} is not valid: it is not JSON; repair it, or remove it and set the keys again`,
    )
  }
}
