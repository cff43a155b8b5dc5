// Stores the last chosen model in a private file; that the file exists records a usable model.
// An unreadable file counts as no choice.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'

/** `provider/id`, or undefined if no model was chosen. @param home `$RXPI_HOME` */
export function lastModel(home: string): string | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(fileIn(home), 'utf8'))
    const isChoice = typeof stored === 'object' && stored !== null && 'model' in stored
    return isChoice && typeof stored.model === 'string' ? stored.model : undefined
  } catch {
    return undefined // missing or damaged: the model is resolved as if none was chosen
  }
}

/** Writes nothing if the choice is unchanged. @throws Failure `storage` */
export function storeLastModel(home: string, model: string): void {
  if (lastModel(home) !== model) write(home, { model })
}

/** `storeLastModel` as an Observable: completes when the choice is stored; fails with a Failure `storage`. */
export function keepLastModel(home: string, model: string): Observable<never> {
  return defer(() => {
    storeLastModel(home, model)
    return EMPTY
  })
}

/** Whether a session of this user ever had a usable model. */
export function hadUsableModel(home: string): boolean {
  return existsSync(fileIn(home))
}

/** Creates the file without a choice if it is missing. @throws Failure `storage` */
export function storeUsableModel(home: string): void {
  if (!hadUsableModel(home)) write(home, {})
}

function write(home: string, content: object): void {
  ensurePrivateFolder(home)
  replacePrivateFile(fileIn(home), `${JSON.stringify(content)}\n`, { synced: false })
}

function fileIn(home: string): string {
  return path.join(home, 'last-model.json')
}
