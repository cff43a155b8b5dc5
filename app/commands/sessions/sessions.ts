// `rxpi sessions`: each action is one function; a signal ends whichever is on.
import { map, merge, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { signalExitCodes } from '../../process/exit-code.ts'
import type { SessionsInvocation } from '../../cli/invocation.ts'
import { namedSession } from './named-session.ts'
import { sessionChange } from './session-change.ts'
import { sessionList } from './session-list.ts'
import { sessionLogs } from './session-logs.ts'
import { sessionReplay } from './session-replay.ts'
import { sessionRewind } from './session-rewind.ts'
import { sessionShelf } from './session-shelf.ts'
import { sessionShow } from './session-show.ts'
import { exportSession, importSession } from './session-transfer.ts'
import { sessionTree } from './session-tree.ts'
import { whereItIsHeld } from './where-it-is-held.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code. */
export function sessions(invocation: SessionsInvocation, world: World): Observable<number> {
  const done$ = namedSession(invocation, world).pipe(mergeMap((named) => done(named, world)))
  return merge(done$, world.signals$.pipe(map((signal) => signalExitCodes[signal]))).pipe(take(1))
}

function done(invocation: SessionsInvocation, world: World): Observable<number> {
  switch (invocation.action) {
    case 'list':
      return sessionList(invocation, world)
    case 'tree':
      return sessionTree(invocation, world)
    case 'show':
      return sessionShow(invocation, world)
    case 'switch':
    case 'rm':
      return sessionShelf(invocation, world)
    case 'undo':
      return whereItIsHeld(world, (own) => sessionRewind(invocation, own))
    case 'branch':
      return whereItIsHeld(world, (own) =>
        'entryId' in invocation ? sessionChange(invocation, own) : sessionRewind(invocation, own),
      )
    case 'rename':
    case 'label':
      return whereItIsHeld(world, (own) => sessionChange(invocation, own))
    case 'export':
      return exportSession(invocation, world)
    case 'import':
      return importSession(invocation, world)
    case 'replay':
      return sessionReplay(invocation, world)
    case 'verify':
    case 'repair':
      return sessionLogs(invocation, world)
  }
}
