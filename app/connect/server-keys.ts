// Lists the keys that only the running server has: those of the shell in which a person started it.
import { catchError, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { socketPath } from '../../lib/server/socket/socket-path.ts'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { reachServer } from './reach-server.ts'

export type ListedKeys = ResultOf<'auth_list'>['providers']

/** A server that does not answer in time is none; `rxpi status` reports it. */
export const responseTimeoutMs = 2_000

/** Emits once and never fails: a missing server has no keys. @param cwd absolute */
export function serverKeys(
  { env, cwd }: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
  provider?: string,
): Observable<ListedKeys> {
  const one = provider === undefined ? {} : { provider }
  return defer(() =>
    reachServer(socketPath({ env }), (client) =>
      client.request({ type: 'auth_list', cwd, env: { ...env }, ...one }, { timeoutMs: responseTimeoutMs }),
    ),
  ).pipe(
    map(({ providers }) => providers.flatMap(ofStart)),
    catchError(() => of([])),
  )
}

function ofStart({ provider, keys }: ListedKeys[number]): ListedKeys {
  const own = keys.filter(({ ofServer, used }) => ofServer === true && used)
  return own.length === 0 ? [] : [{ provider, keys: own }]
}
