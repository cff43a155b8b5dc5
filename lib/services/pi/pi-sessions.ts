// Imports pi's stored sessions, each into the folder that it names, once.
// Guarantees: a file that was imported is not imported again, and a session is imported only with consent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import { isRecord } from '../../streams/values/json.ts'
import { imported, left, orLeft, present } from './imported-item.ts'
import type { PiImport } from './imported-item.ts'

const maxSessions = 1_000

/** Emits the items and completes. */
export function importSessions(options: PiImport): Observable<readonly ImportedItem[]> {
  return defer(() => {
    const files = sessionFiles(path.join(options.dir, 'sessions'))
    return from(files.slice(0, maxSessions)).pipe(
      concatMap((file) => importOne(file, options).pipe(orLeft('session', file))),
      reduce<ImportedItem, ImportedItem[]>((items, item) => [...items, item], []),
      map((items) =>
        files.length <= maxSessions
          ? items
          : [...items, left('session', `${files.length - maxSessions} more files`, 'run the import again for them')],
      ),
    )
  })
}

function sessionFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => path.join(folder, name))
      .toSorted()
  } catch {
    return [] // pi has stored none
  }
}

function importOne(file: string, { home, sessions, dryRun, importSession }: PiImport): Observable<ImportedItem> {
  const done = readDone(home)
  if (Object.hasOwn(done, file)) return of(present('session', file))
  const cwd = folderOf(file)
  if (cwd === undefined) return of(left('session', file, 'its first line names no folder'))
  if (!existsSync(cwd))
    return of(left('session', file, `its folder ${cwd} is gone; rxpi sessions import brings it into another`))
  if (!sessions) {
    const item = left('session', file, `you have not agreed to import it into ${cwd}`)
    return of({ ...item, needsConsent: true })
  }
  if (dryRun) return of(imported('session', file))
  return importSession({ cwd, file }).pipe(
    map(({ session }) => {
      ensurePrivateFolder(home)
      replacePrivateFile(doneFile(home), `${JSON.stringify({ v: 1, sessions: { ...readDone(home), [file]: session } })}\n`) // prettier-ignore
      return imported('session', file)
    }),
  )
}

/** The folder in pi's first line. */
function folderOf(file: string): string | undefined {
  const first: unknown = JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '')
  const cwd = isRecord(first) ? first['cwd'] : undefined
  return typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : undefined
}

function doneFile(home: string): string {
  return path.join(home, 'imported-from-pi.json')
}

/** The imported files, with the id of each session. A damaged file counts as none: sessions are then imported twice. */
function readDone(home: string): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(readFileSync(doneFile(home), 'utf8'))
    return isRecord(stored) && isRecord(stored['sessions']) ? stored['sessions'] : {}
  } catch {
    return {}
  }
}
