// Opens any session file for reading: a log of rxpi as it is, a file of pi as its import would be.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { realTarget } from '../../host/files/resolve-path.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { nodeFileSystem } from '../disk/file-system-port.ts'
import { foreignLines, isBlank } from '../import/foreign-lines.ts'
import type { ImportNote } from '../import/importer.ts'
import { importSession } from '../import/import-session.ts'
import { readPieces } from '../import/read-pieces.ts'
import { sessionFormat } from '../import/session-format.ts'
import type { SessionFormat } from '../import/session-format.ts'
import { memoryStore } from './memory-store.ts'
import { openForReading } from '../log/open-file-log.ts'

export interface OpenedFile {
  /** The caller closes it. */
  readonly log: SessionLog
  /** For a file of pi: what the import changed, 1,000 notes at most. */
  readonly notes: readonly ImportNote[]
}

/**
 * Emits once; reads a file of pi whole into memory, in slices. Fails with `bad_request` if it is no session,
 * `unsupported_version`, `read_only` if line 1 is damaged, `storage`.
 */
export function openSessionFile(file: string): Observable<OpenedFile> {
  return defer(() => {
    const found = formatOf(file)
    if (found.format === 'rxpi') return of({ log: openLogAt(realTarget(file), found.header.id), notes: [] })
    const store = memoryStore()
    return importSession({
      name: file,
      pieces: readPieces(file),
      store,
      ids: createCountedIds(),
      now: Date.now(),
    }).pipe(map(({ header, notes }) => ({ log: store.open(header.id, { readOnly: true }).log, notes })))
  })
}

/** A file without ids gets the same ids each time it is read: `aaaaaaab`, `aaaaaaac` … */
function createCountedIds(): Ids {
  let count = 0
  const next = (length: number) => (): string => {
    count += 1
    const digits = count.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 26)))
    return digits.padStart(length, 'a')
  }
  return { session: next(12), short: next(8), request: next(26) }
}

function formatOf(file: string): SessionFormat {
  for (const line of foreignLines(readPieces(file)))
    if (line !== undefined && (line.text === undefined || !isBlank(line.text))) return sessionFormat(file, line)
  return sessionFormat(file, undefined)
}

function openLogAt(file: string, sessionId: string): SessionLog {
  return openForReading({ file, sessionId, files: nodeFileSystem }).log
}
