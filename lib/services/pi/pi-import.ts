// Answers `import_pi`: imports models, settings, keys, skills, prompts, texts and sessions of pi.
// Guarantees: running it again changes nothing, and no result holds a key.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { catchError, concat, concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { AuthBackend, Fields, ImportBackend } from '../contract/server-backend.ts'
import { importFiles } from './pi-files.ts'
import { importSessions, readDone } from './pi-sessions.ts'
import { importModels, importSettings } from './pi-settings.ts'
import { imported, left, orLeft, present, unconfirmedKey } from './imported-item.ts'
import type { PiImport } from './imported-item.ts'
import { piFolder, readPiJson } from './pi-home.ts'

export interface PiImportOptions extends Pick<PiImport, 'home' | 'config' | 'importSession'> {
  readonly auth: Pick<AuthBackend, 'set' | 'list'>
}

export function createImportBackend(options: PiImportOptions): ImportBackend {
  return { pi: (command) => defer(() => importPi(command, options)) }
}

function importPi(
  { cwd, env = {}, dir: named, keys = [], sessions = false, dryRun = false }: Fields<'import_pi'>,
  { auth, ...options }: PiImportOptions,
): Observable<ResultOf<'import_pi'>> {
  const dir = piFolder(named, env)
  if (!existsSync(dir)) throw new Failure('bad_request', `There is no folder of pi at ${dir}; name it with --from`)
  readDone(options.home) // a damaged list fails the import before anything is copied
  const one: PiImport = { ...options, dir, keys, sessions, dryRun }
  return concat(
    attempt('model', 'models.json', () => importModels(one)),
    importSettings(one).pipe(orLeftAll('setting', 'settings.json')),
    defer(() => importKeys(one, { cwd, env, auth })).pipe(orLeftAll('key', 'auth.json')),
    attempt('other', dir, () => importFiles(one)),
    importSessions(one),
  ).pipe(
    reduce<readonly ImportedItem[], ImportedItem[]>((items, more) => [...items, ...more], []),
    map((items) => ({ dir, items })),
  )
}

function attempt(
  kind: ImportedItem['kind'],
  name: string,
  work: () => readonly ImportedItem[],
): Observable<readonly ImportedItem[]> {
  return defer(() => of(work())).pipe(orLeftAll(kind, name))
}

/** A file that cannot be read leaves its things, and the others are imported. */
function orLeftAll(kind: ImportedItem['kind'], name: string) {
  return (items$: Observable<readonly ImportedItem[]>): Observable<readonly ImportedItem[]> =>
    items$.pipe(catchError((error: unknown) => of([left(kind, name, Failure.from(error).message)])))
}

interface KeyTarget {
  readonly cwd: string
  readonly env: Record<string, string>
  readonly auth: PiImportOptions['auth']
}

function importKeys({ dir, keys, dryRun }: PiImport, target: KeyTarget): Observable<readonly ImportedItem[]> {
  const stored = readPiJson(path.join(dir, 'auth.json'))
  if (!isRecord(stored)) return of([])
  return from(Object.entries(stored)).pipe(
    concatMap(([provider, entry]) =>
      importKey(provider, entry, { ...target, isChosen: keys.includes(provider), dryRun }).pipe(
        orLeft('key', provider),
      ),
    ),
    reduce<ImportedItem, ImportedItem[]>((items, item) => [...items, item], []),
  )
}

function importKey(
  provider: string,
  entry: unknown,
  { cwd, env, auth, isChosen, dryRun }: KeyTarget & { readonly isChosen: boolean; readonly dryRun: boolean },
): Observable<ImportedItem> {
  const key = isRecord(entry) && entry['type'] === 'api_key' ? entry['key'] : undefined
  if (isRecord(entry) && entry['type'] === 'oauth')
    return of(left('key', provider, 'it is a login, not a key; sign in with rxpi auth login (docs/accounts.md)'))
  if (typeof key !== 'string' || key === '') return of(left('key', provider, 'it has no key'))
  return defer(() => auth.list({ cwd, env, provider })).pipe(
    concatMap(({ providers }) => {
      const has = providers.some((each) => each.keys.some(({ keyId }) => keyId !== undefined))
      if (has) return of(present('key', provider))
      if (!isChosen) return of(unconfirmedKey(provider))
      if (dryRun) return of(imported('key', provider))
      return auth.set({ cwd, env, provider, key }).pipe(map(() => imported('key', provider)))
    }),
  )
}
