// Adds the session with the nearest id or title to the failure of a word that is not an id.
import { catchError, map, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { nearestName } from '../../../lib/streams/values/nearest-name.ts'
import { currentFolder } from '../../process/current-folder.ts'
import type { World } from '../../process/world.ts'

type Listed = Pick<ResultOf<'list_sessions'>['sessions'][number], 'id' | 'title' | 'firstWords'>

/** Never emits: fails with the same code. Without a near session of this folder, the message names the list. */
export function suggestSession({ code, message, data }: Failure, { client }: Pick<World, 'client'>): Observable<never> {
  const { word } = data
  const list = '; rxpi sessions list prints the ids'
  return client.request({ type: 'list_sessions', cwd: currentFolder(), includeEmpty: false }).pipe(
    map(({ sessions }) => (typeof word === 'string' ? nearestSession(word, sessions) : undefined)),
    map((near) => (near === undefined ? list : `. Did you mean ${near}?`)),
    catchError(() => of(list)), // the failure at hand is the one to report
    mergeMap((advice) => throwError(() => new Failure(code, `${message}${advice}`))),
  )
}

/** By id or beginning of an id, by title, or by the first words of a session without a title; the latest of equals. */
function nearestSession(word: string, sessions: readonly Listed[]): string | undefined {
  const names = new Map<string, Listed>()
  for (const session of sessions)
    for (const name of [session.id, session.title ?? session.firstWords])
      if (name !== undefined && !names.has(name)) names.set(name, session)
  const near = names.get(nearestName(word, [...names.keys()]) ?? '')
  if (near === undefined) return undefined
  const title = near.title ?? near.firstWords
  return title === undefined ? near.id : `${near.id} ("${title}")`
}
