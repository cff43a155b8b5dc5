// Stores the last chosen model in a small private file.
// An unreadable file counts as no choice.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, defer, ignoreElements } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replaceFile } from '../../host/files/replace-file.ts'
import { fromAbortable } from '../../streams/rx/from-abortable.ts'

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

/**
 * Completes when the choice is stored, at once if it is unchanged; fails with a Failure `storage`, or with the system's
 * error.
 */
export function keepLastModel(home: string, model: string): Observable<never> {
  return defer(() => {
    if (lastModel(home) === model) return EMPTY
    ensurePrivateFolder(home)
    const content = `${JSON.stringify({ model })}\n`
    return fromAbortable((signal) => replaceFile(fileIn(home), content, signal, { mode: 0o600, synced: false }))
  }).pipe(ignoreElements())
}

function fileIn(home: string): string {
  return path.join(home, 'last-model.json')
}
