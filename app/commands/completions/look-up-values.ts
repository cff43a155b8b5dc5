// Looks up the values that a word of a command line can have: models, sessions, settings and others.
import { EMPTY, catchError, defaultIfEmpty, forkJoin, map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ListedModel } from '../../../lib/streams/commands/model-commands.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { ValueKind } from '../../cli/complete/command-table.ts'
import type { Candidate } from '../../cli/complete/complete-words.ts'
import { currentFolder } from '../../process/current-folder.ts'
import type { World } from '../../process/world.ts'

/** The kinds that are looked up; the shell lists files and folders. */
export type LookedUp = Exclude<Extract<ValueKind, string>, 'file' | 'folder'>

/** So many of a kind, those that begin with what is typed. */
const limit = 200

/**
 * Emits the candidates of all kinds once. A kind that cannot be looked up has none: a person who completes a word
 * wants no error in its place, and the command itself reports the fault.
 */
export function lookUpValues(kinds: readonly LookedUp[], typed: string, world: World): Observable<Candidate[]> {
  const found = kinds.map((kind) =>
    valuesOf(kind, world).pipe(
      map((values) => values.filter(({ value }) => value.startsWith(typed)).slice(0, limit)),
      catchError(() => EMPTY),
      defaultIfEmpty<Candidate[], Candidate[]>([]),
    ),
  )
  return forkJoin(found).pipe(
    map((all) => all.flat()),
    defaultIfEmpty<Candidate[], Candidate[]>([]),
  )
}

function valuesOf(kind: LookedUp, world: World): Observable<Candidate[]> {
  const { client, env } = world
  const cwd = currentFolder()
  const here = { cwd, env: { ...env } }
  switch (kind) {
    case 'model':
      return client.request({ type: 'list_models', ...here }).pipe(
        map(({ models, roles = [] }) => {
          const all = models.map(({ model, usable }) => ({ value: modelName(model), text: model.name ?? '', usable }))
          const sorted = [...all.filter(({ usable }) => usable), ...all.filter(({ usable }) => !usable)]
          return [...sorted, ...roles.map(({ role }) => ({ value: `@${role}` }))]
        }),
      )
    case 'session':
      return client
        .request({ type: 'list_sessions', cwd, limit })
        .pipe(map(({ sessions }) => sessions.map(({ id, title, firstWords }) => withText(id, title ?? firstWords))))
    case 'setting':
      return client
        .request({ type: 'config_list', ...here })
        .pipe(map(({ settings }) => settings.map(({ key }) => ({ value: key }))))
    case 'provider':
      return client.request({ type: 'list_models', ...here }).pipe(map(({ models }) => providersOf(models)))
    case 'mcp server':
      return client
        .request({ type: 'mcp_list', ...here })
        .pipe(map(({ servers }) => servers.map(({ name }) => ({ value: name }))))
    case 'extension':
      return client
        .request({ type: 'extension_list', ...here })
        .pipe(map(({ extensions }) => extensions.map(({ name }) => ({ value: name }))))
    case 'package':
      return client
        .request({ type: 'package_list' })
        .pipe(map(({ packages }) => packages.map(({ name, version }) => withText(name, version))))
  }
}

function providersOf(models: readonly ListedModel[]): Candidate[] {
  return [...new Set(models.map(({ model }) => model.provider))].map((value) => ({ value }))
}

function withText(value: string, text: string | undefined): Candidate {
  return text === undefined ? { value } : { value, text }
}
