// A branch in a new file leaves the session that it comes from as it is, also while a run is on in it.
import { asyncScheduler, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Changeable, Changed } from './changed.ts'

/** Emits once, with no events: nothing is told here. @throws Failure `bad_request` */
export function branchInNewFile(entryId: string | null, { core, state, opId }: Changeable): Observable<Changed> {
  const { copyBranch, log } = core.parts
  if (copyBranch === undefined)
    throw new Failure('bad_request', 'This session knows no store for a new file; open it with one')
  const branch = { log, state, entryId, opId, ids: core.ids, now: asyncScheduler.now() }
  return copyBranch(branch).pipe(map((result) => ({ events: [], result })))
}
