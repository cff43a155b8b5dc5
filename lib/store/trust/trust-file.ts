// Stores what a person answered about trusting a folder: `trust.json` in rxpi's state folder.
// Guarantees: a private file (0600); folders are keyed by their real path; a file that others can write is refused.
import path from 'node:path'
import { defer, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder, readPrivateJson } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import type { StoredAnswer, TrustFile } from '../../streams/config/trust-file-schema.ts'
import { checkTrustFile } from '../../streams/validation/file-validators.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { getOwn } from '../../streams/values/json.ts'
import { withFileLock } from '../locks/with-file-lock.ts'

/** Folders that are stored; the oldest answer makes room for a new one. */
const maxFolders = 2_000
const maxBytes = 4_194_304

export function trustFile(home: string): string {
  return path.join(home, 'trust.json')
}

/** @param project a real path @throws Failure `bad_config` if the file is damaged or others can write it */
export function storedAnswer(home: string, project: string): StoredAnswer | undefined {
  return getOwn(readTrustFile(trustFile(home)).folders, project)
}

/**
 * Stores the answer for a folder, or removes it (`undefined`). Emits when it is on the disk and completes; fails with
 * `storage` or `bad_config`.
 * @param project a real path
 */
export function storeAnswer(home: string, project: string, answer: StoredAnswer | undefined): Observable<undefined> {
  return defer(() => {
    const file = trustFile(home)
    ensurePrivateFolder(home)
    return withFileLock(file, () => {
      const { [project]: _, ...others } = readTrustFile(file).folders
      const newest = Object.entries(others)
        .toSorted(([, one], [, other]) => other.at - one.at)
        .slice(0, maxFolders - 1)
      const entries = answer === undefined ? newest : [[project, answer] as const, ...newest]
      const content: TrustFile = { v: 1, folders: Object.fromEntries(entries) }
      replacePrivateFile(file, `${JSON.stringify(content, undefined, 2)}\n`)
      return of(undefined)
    })
  })
}

function readTrustFile(file: string): TrustFile {
  const value = readPrivate(file)
  if (value === undefined) return { v: 1, folders: {} }
  const checked = checkTrustFile(value)
  if (checked.ok) return checked.value
  throw badFile(file, checked.problem)
}

function readPrivate(file: string): unknown {
  try {
    return readPrivateJson(file, maxBytes)
  } catch (error) {
    throw badFile(file, describeThrown(error))
  }
}

function badFile(file: string, problem: string): Failure {
  const message = `${file} holds the folders that you trust and is not valid: ${problem}; mend or remove it`
  return new Failure('bad_config', message, { data: { file } })
}
