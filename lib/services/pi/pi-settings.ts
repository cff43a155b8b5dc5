// Translates pi's settings and adds pi's endpoints to models.json.
// Guarantees: a value that the user has stays.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { concatMap, defer, from, map, of, reduce } from 'rxjs'
import type { Observable } from 'rxjs'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { realTarget } from '../../host/files/resolve-path.ts'
import { editSetting, readModelsFile, readSettingsFile, settingAt, withSetting } from '../../store/index.ts'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import { checkWrittenModels, checkWrittenSettings } from '../../streams/validation/file-validators.ts'
import { isRecord } from '../../streams/values/json.ts'
import { imported, left, orLeft, present, unconfirmedKey } from './imported-item.ts'
import type { PiImport } from './imported-item.ts'
import { readPiJson } from './pi-home.ts'

/** pi's names that mean the same under a name of rxpi. */
const sameMeaning: Readonly<Record<string, string>> = {
  defaultThinkingLevel: 'thinkingLevel',
  defaultTools: 'tools',
  steeringMode: 'steeringMode',
  followUpMode: 'followUpMode',
  httpIdleTimeoutMs: 'limits.idleMs',
  theme: 'theme',
  compaction: 'compaction',
}

/** Emits the items and completes. */
export function importSettings({ dir, config, dryRun }: PiImport): Observable<readonly ImportedItem[]> {
  return defer(() => {
    const written = readPiJson(path.join(dir, 'settings.json'))
    if (!isRecord(written)) return of([])
    const { defaultProvider, defaultModel, ...others } = written
    const model =
      typeof defaultProvider === 'string' && typeof defaultModel === 'string'
        ? [['model', `${defaultProvider}/${defaultModel}`] as const]
        : []
    const known = Object.entries(others).flatMap(([name, value]) => {
      const key = Object.hasOwn(sameMeaning, name) ? sameMeaning[name] : undefined
      return key === undefined ? [] : [[key, value] as const]
    })
    const foreign = Object.keys(others).filter((name) => !Object.hasOwn(sameMeaning, name))
    return from([...model, ...known]).pipe(
      concatMap(([key, value]) => setIfUnset(key, value, { config, dryRun })),
      reduce<ImportedItem, ImportedItem[]>((items, item) => [...items, item], []),
      map((items) => [
        ...items,
        ...foreign.map((name) => left('setting', name, 'rxpi has no setting of this meaning')),
      ]),
    )
  })
}

function setIfUnset(
  key: string,
  value: unknown,
  { config, dryRun }: Pick<PiImport, 'config' | 'dryRun'>,
): Observable<ImportedItem> {
  return defer(() => {
    if (settingAt(readSettingsFile(config).value, key) !== undefined) return of(present('setting', key))
    const checked = checkWrittenSettings(withSetting({}, key, value))
    if (!checked.ok) return of(left('setting', key, checked.problem))
    if (dryRun) return of(imported('setting', key))
    return editSetting(config, key, value).pipe(map(() => imported('setting', key)))
  }).pipe(orLeft('setting', key))
}

/** Adds the providers that the user's models.json does not have, in pi's words, which rxpi reads. */
export function importModels({ dir, config, dryRun, keys }: PiImport): readonly ImportedItem[] {
  const written = readPiJson(path.join(dir, 'models.json'))
  if (!isRecord(written) || !isRecord(written['providers'])) return []
  readModelsFile(config) // an invalid file of the user is not replaced
  const file = path.join(config, 'models.json')
  const before = readPiJson(file)
  const own: Record<string, unknown> =
    isRecord(before) && isRecord(before['providers']) ? { ...before['providers'] } : {}
  const items = Object.entries(written['providers']).flatMap(([name, entry]): readonly ImportedItem[] => {
    if (Object.hasOwn(own, name)) return [present('model', name)]
    const { entry: accepted, secret } = withoutSecret(entry, keys.includes(name))
    const checked = checkWrittenModels({ providers: { [name]: accepted } })
    if (!checked.ok) return [left('model', name, checked.problem)]
    own[name] = accepted
    return [imported('model', name), ...(secret ? [unconfirmedKey(name)] : [])]
  })
  if (dryRun || !items.some(({ outcome }) => outcome === 'imported')) return items
  mkdirSync(config, { recursive: true, mode: 0o700 })
  replacePrivateFile(
    realTarget(file),
    `${JSON.stringify({ ...(isRecord(before) ? before : {}), providers: own }, undefined, 2)}\n`,
  )
  return items
}

/** A key in the file itself needs the person's consent; a variable or a command is none. */
function withoutSecret(entry: unknown, isAllowed: boolean): { readonly entry: unknown; readonly secret: boolean } {
  if (isAllowed || !isRecord(entry)) return { entry, secret: false }
  const { apiKey, ...rest } = entry
  const isSecret = [apiKey].flat().some((key) => typeof key === 'string' && !/^(?:[$!]|[A-Z][A-Z0-9_]*$)/.test(key))
  return isSecret ? { entry: rest, secret: true } : { entry, secret: false }
}
