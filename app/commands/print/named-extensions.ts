// Refuses a run without an extension that its command line names: such an extension may be a gate.
import { realpathSync } from 'node:fs'
import { EMPTY, mergeMap, tap } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { SessionChoice } from '../../cli/invocation.ts'
import type { World } from '../../process/world.ts'

type Row = ResultOf<'extension_list'>['extensions'][number]

/**
 * Completes if a person trusts each extension that `--extension` names. Fails with `bad_request` if there is none at a path,
 * with `not_allowed` if a decision is missing: no client can answer a question of `-p`.
 */
export function checkNamedExtensions(
  { cwd, extensions = [], trust }: SessionChoice,
  { client, env }: Pick<World, 'client' | 'env'>,
): Observable<never> {
  if (extensions.length === 0) return EMPTY
  const surroundings = { cwd, env: { ...env }, ...(trust === true ? { trust } : {}) }
  return client.request({ type: 'extension_list', ...surroundings, extensions: [...extensions] }).pipe(
    mergeMap(({ extensions: rows, problems }) => {
      const wrong = problems.find(({ path }) => extensions.includes(path))
      if (wrong !== undefined) throw new Failure('bad_request', `--extension ${wrong.path}: ${wrong.message}`)
      const files = extensions.map((file) => realpathSync(file))
      const isNamed = ({ origin, root, entry }: Row) =>
        origin === 'path' || files.includes(root) || files.includes(entry)
      const waiting = rows.find((row) => isNamed(row) && (row.state === 'pending' || row.state === 'killed'))
      if (waiting !== undefined) throw new Failure('not_allowed', refusal(waiting))
      return EMPTY
    }),
  )
}

function refusal({ name, root, state, changed = false }: Row): string {
  const trust = `rxpi extensions trust ${root}`
  if (state === 'killed') return `The extension ${name} was killed; to allow it again: ${trust}`
  const why = changed ? 'has changed since you decided about it' : 'waits for your decision'
  return `The extension ${name} ${why}; look at it, then: ${trust}`
}

/**
 * Passes the opened session on. Fails with `bad_config` if it has not the extensions that the command line names, with
 * `bad_request` if it was open before without them.
 */
export function requireNamedExtensions<Found extends { readonly opened: ResultOf<'open_session'> }>({
  extensions = [],
}: SessionChoice): MonoTypeOperatorFunction<Found> {
  return tap(({ opened: { notices } }) => {
    if (extensions.length === 0) return
    const missing = notices.find(({ code }) => code === 'named_extension')
    if (missing !== undefined) throw new Failure('bad_config', missing.message)
    const joined = notices.some(({ code }) => code === 'already_open')
    if (joined)
      throw new Failure(
        'bad_request',
        'The session is open already, and takes no --extension any more; leave the option out',
      )
  })
}
