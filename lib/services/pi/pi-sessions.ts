// Imports pi's stored sessions, each into the folder that it names, once.
// Guarantees: a file that was imported is not imported again, and a session is imported only with consent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { readBoundedText } from '../../context/files/read-bounded-text.ts'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import { imported, left, orLeft, present } from './imported-item.ts'
import type { PiImport } from './imported-item.ts'

/** Sessions of one import, and names of each kind that its result has. */
const most = 1_000
const maxFirstLine = 65_536

/**
 * Emits the items and completes. Fails with `storage` if the list of imported files is damaged: nothing is imported
 * then.
 */
export function importSessions(options: PiImport): Observable<readonly ImportedItem[]> {
  return defer(() => {
    const done = readDone(options.home)
    const files = sessionFiles(path.join(options.dir, 'sessions'))
    const todo: Found[] = []
    const others: ImportedItem[] = []
    for (const file of files) {
      const found = Object.hasOwn(done, file) ? present('session', file) : examine(file)
      if ('outcome' in found) others.push(found)
      else todo.push(found)
    }
    return from(todo.slice(0, most)).pipe(
      concatMap((found) => importOne(found, options).pipe(orLeft('session', found.file))),
      reduce<ImportedItem, ImportedItem[]>((items, item) => [...items, item], []),
      map((items) => [...items, ...shorten(others), ...later(todo.length)]),
    )
  })
}

/** A file that can be imported. */
interface Found {
  readonly file: string
  readonly cwd: string
}

function later(count: number): readonly ImportedItem[] {
  return count <= most ? [] : [left('session', `${count - most} more files`, 'run the import again for them')]
}

/** A result stays small however many files there are. */
function shorten(items: readonly ImportedItem[]): readonly ImportedItem[] {
  return (['present', 'left'] as const).flatMap((outcome) => {
    const same = items.filter((item) => item.outcome === outcome)
    const more: ImportedItem = { kind: 'session', name: `${same.length - most} more files`, outcome }
    return same.length <= most ? same : [...same.slice(0, most), more]
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

/** The file with its folder, or the reason why it is left. */
function examine(file: string): Found | ImportedItem {
  const cwd = folderOf(file)
  if (cwd === undefined) return left('session', file, 'its first line names no folder')
  if (!existsSync(cwd))
    return left('session', file, `its folder ${cwd} is gone; rxpi sessions import brings it into another`)
  return { file, cwd }
}

function importOne(
  { file, cwd }: Found,
  { home, sessions, dryRun, importSession }: PiImport,
): Observable<ImportedItem> {
  if (!sessions) {
    const item = left('session', file, `you have not agreed to import it into ${cwd}`)
    return of({ ...item, needsConsent: true })
  }
  if (dryRun) return of(imported('session', file))
  return importSession({ cwd, file }).pipe(
    map(({ session }) => {
      ensurePrivateFolder(home)
      replacePrivateFile(
        doneFile(home),
        `${JSON.stringify({ v: 1, sessions: { ...readDone(home), [file]: session } })}\n`,
      )
      return imported('session', file)
    }),
  )
}

/** The folder in pi's first line; undefined without one, and for a file that is not a regular one. */
function folderOf(file: string): string | undefined {
  const read = readBoundedText(file, maxFirstLine)
  if (read === undefined || 'problem' in read) return undefined
  const first = parseJson(read.text.split('\n', 1)[0] ?? '')
  const cwd = isRecord(first) ? first['cwd'] : undefined
  return typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function doneFile(home: string): string {
  return path.join(home, 'imported-from-pi.json')
}

/** The imported files, with the id of each session: none before the first import. @throws Failure `storage` */
export function readDone(home: string): Readonly<Record<string, unknown>> {
  const file = doneFile(home)
  if (!existsSync(file)) return {}
  const stored = parseJson(readFileSync(file, 'utf8'))
  if (isRecord(stored) && isRecord(stored['sessions'])) return stored['sessions']
  throw new Failure(
    'storage',
    `${file} is damaged, so rxpi cannot tell which sessions of pi it has; repair it, or remove it to import them all again`,
  )
}
