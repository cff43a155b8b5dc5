// Reads and changes a private file of secrets: the stored keys, or the tokens of accounts.
// Guarantees: it is private to its user, never partial, and changed by one process at a time.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { concat, defer, ignoreElements, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replaceFile } from '../../host/files/replace-file.ts'
import { errnoOf, storageFailure } from '../../host/files/storage-failure.ts'
import type { AccountsFile } from '../../streams/accounts/accounts-file-schema.ts'
import type { AuthFile } from '../../streams/config/auth-file-schema.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'
import { checkAccountsFile, checkAuthFile } from '../../streams/validation/file-validators.ts'
import { withFileLock } from '../locks/with-file-lock.ts'

interface SecretFile<Content> {
  readonly empty: Content
  readonly check: (value: unknown) => CheckResult<Content>
  /** Completes `… holds` and `set … again`. */
  readonly secrets: string
  /** The advice if others may have read the secrets. */
  readonly replace: string
}

type CheckResult<Content> =
  | { readonly ok: true; readonly value: Content }
  | { readonly ok: false; readonly problem: string }

const keys: SecretFile<AuthFile> = {
  empty: { v: 1, providers: {} },
  check: checkAuthFile,
  secrets: 'keys',
  replace: 'replace its keys',
}

const accounts: SecretFile<AccountsFile> = {
  empty: { v: 1, providers: {} },
  check: checkAccountsFile,
  secrets: 'tokens of accounts',
  replace: 'sign in again',
}

/**
 * The content of the file; empty if there is none. @throws Failure `bad_config` if it is damaged, or others may read it
 */
export function readAuthFile(file: string): AuthFile {
  return readSecretFile(file, keys)
}

/** As `readAuthFile`, for the file of accounts. */
export function readAccountsFile(file: string): AccountsFile {
  return readSecretFile(file, accounts)
}

/**
 * Replaces the file with the result of `change`, which runs while no other process changes the file. If it throws, the
 * file stays. Emits the new content and completes; fails with a Failure `storage` or `bad_config`.
 */
export function changeAuthFile(file: string, change: (before: AuthFile) => AuthFile): Observable<AuthFile> {
  return changeSecretFile(file, keys, change)
}

/** As `changeAuthFile`, for the file of accounts. */
export function changeAccountsFile(
  file: string,
  change: (before: AccountsFile) => AccountsFile,
): Observable<AccountsFile> {
  return changeSecretFile(file, accounts, change)
}

function readSecretFile<Content>(file: string, kind: SecretFile<Content>): Content {
  const text = readSecretText(file, kind)
  if (text === undefined) return kind.empty
  const checked = kind.check(parseSecretFile(file, text, kind))
  if (checked.ok) return checked.value
  throw new Failure('bad_config', `${file} is not valid: ${checked.problem}`)
}

function changeSecretFile<Content>(
  file: string,
  kind: SecretFile<Content>,
  change: (before: Content) => Content,
): Observable<Content> {
  return defer(() => {
    ensurePrivateFolder(path.dirname(file))
    return withFileLock(file, () => {
      const after = change(readSecretFile(file, kind))
      const text = `${JSON.stringify(after, undefined, 2)}\n`
      return concat(fromAbortable((signal) => writeSecretFile(file, text, signal)).pipe(ignoreElements()), of(after))
    })
  })
}

async function writeSecretFile(file: string, text: string, signal: AbortSignal): Promise<void> {
  try {
    await replaceFile(file, text, signal, { mode: 0o600 })
  } catch (error) {
    throw storageFailure(`write ${file}`, error)
  }
}

function readSecretText(file: string, { secrets, replace }: Words): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const { mode, uid } = fstatSync(descriptor)
    if (uid !== process.geteuid?.())
      throw notPrivate(file, `belongs to another user, and holds ${secrets}: move it away`)
    if ((mode & 0o077) !== 0) {
      throw notPrivate(
        file,
        `has mode ${(mode & 0o777).toString(8)}, and holds ${secrets}: chmod 600 ${file}, and ${replace}, as others may have read them`,
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

type Words = Pick<SecretFile<unknown>, 'secrets' | 'replace'>

/** Opened without following links. */
function insecureReason(error: unknown): string {
  return errnoOf(error) === 'ELOOP' ? 'it is a symbolic link; put the file itself there' : describeThrown(error)
}

function notPrivate(file: string, reason: string): Failure {
  return new Failure('bad_config', `${file} ${reason}`)
}

/** The engine's message is left out: it quotes the text, which holds secrets. */
function parseSecretFile(file: string, text: string, { secrets }: Words): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(
      'bad_config',
      `${file} is not valid: it is not JSON; repair it, or remove it and set the ${secrets} again`,
    )
  }
}
