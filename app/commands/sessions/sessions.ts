// Runs `rxpi sessions`: dispatches to one function an action; a signal ends it.
import { mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { endAtSignal } from '../../process/end-at-signal.ts'
import type { SessionsInvocation } from '../../cli/invocation.ts'
import { resolveSession } from './resolve-session.ts'
import { changeSession, switchOrRemove } from './session-change.ts'
import { changeContext, compactSession } from './session-compact.ts'
import { listSessions } from './session-list.ts'
import { checkLogs } from './session-logs.ts'
import { printReplay } from './session-replay.ts'
import { rewindSession } from './session-rewind.ts'
import { showSession } from './session-show.ts'
import { exportSession, importSession } from './session-transfer.ts'
import { printTree } from './session-tree.ts'
import { retryOnLockHolder } from './retry-on-lock-holder.ts'
import type { World } from '../../process/world.ts'

/** Emits the exit code. */
export function sessions(invocation: SessionsInvocation, world: World): Observable<number> {
  const code$ = resolveSession(invocation, world).pipe(mergeMap((resolved) => runAction(resolved, world)))
  return invocation.action === 'compact' ? code$ : code$.pipe(endAtSignal(world.signals$))
}

function runAction(invocation: SessionsInvocation, world: World): Observable<number> {
  switch (invocation.action) {
    case 'list':
    case 'search':
      return listSessions(invocation, world)
    case 'tree':
      return printTree(invocation, world)
    case 'show':
      return showSession(invocation, world)
    case 'switch':
    case 'rm':
      return switchOrRemove(invocation, world)
    case 'undo':
      return retryOnLockHolder(world, (own) => rewindSession(invocation, own))
    case 'branch':
      return retryOnLockHolder(world, (own) =>
        'entryId' in invocation ? changeSession(invocation, own) : rewindSession(invocation, own),
      )
    case 'rename':
    case 'label':
      return retryOnLockHolder(world, (own) => changeSession(invocation, own))
    case 'compact':
      return retryOnLockHolder(world, (own) => compactSession(invocation, own))
    case 'pin':
    case 'unpin':
    case 'hide':
    case 'unhide':
    case 'replace':
      return retryOnLockHolder(world, (own) => changeContext(invocation, own))
    case 'export':
      return exportSession(invocation, world)
    case 'import':
      return importSession(invocation, world)
    case 'replay':
      return printReplay(invocation, world)
    case 'verify':
    case 'repair':
      return checkLogs(invocation, world)
  }
}
