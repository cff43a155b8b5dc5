// Makes the items of an import from pi, and declares what one import needs.
import { catchError, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { StoredBackend } from '../contract/server-backend.ts'

/** One import. */
export interface PiImport {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of the user's `settings.json`. */
  readonly config: string
  readonly importSession: StoredBackend['importSession']
  /** pi's agent folder, absolute. */
  readonly dir: string
  readonly keys: readonly string[]
  readonly sessions: boolean
  readonly dryRun: boolean
}

export function left(kind: ImportedItem['kind'], name: string, why: string): ImportedItem {
  return { kind, name, outcome: 'left', why }
}

export function present(kind: ImportedItem['kind'], name: string): ImportedItem {
  return { kind, name, outcome: 'present' }
}

export function imported(kind: ImportedItem['kind'], name: string): ImportedItem {
  return { kind, name, outcome: 'imported' }
}

export function unconfirmedKey(name: string): ImportedItem {
  return { ...left('key', name, 'you have not agreed to import this key'), needsConsent: true }
}

/** A failure leaves the item out, with the reason. */
export function orLeft(kind: ImportedItem['kind'], name: string) {
  return (source$: Observable<ImportedItem>): Observable<ImportedItem> =>
    source$.pipe(catchError((error: unknown) => of(left(kind, name, Failure.from(error).message))))
}
