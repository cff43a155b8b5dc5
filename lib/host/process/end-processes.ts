// Ending a call's processes is begun at once and carried through whether or not anybody listens: asked first, forced after the grace time.
import {
  AsyncSubject,
  concat,
  concatMap,
  defer,
  EMPTY,
  endWith,
  from,
  ignoreElements,
  map,
  takeWhile,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { CallProcesses } from './process-tree.ts'
import type { ProcessEntry } from './process-table.ts'

/** Milliseconds between looks at what is left, SIGTERM having been sent: 2,000 together. */
const gentleLooks = [10, 20, 40, 80, 150, 200, 250, 250, 250, 250, 250, 250]
/** Milliseconds between SIGKILLs; several, because a fork may be in flight. */
const forcedLooks = [0, 5, 10, 20, 40, 80, 160, 320]

/** Who was found alive, in the order in which they were found, and who still is. */
export interface EndedProcesses {
  readonly found: readonly ProcessEntry[]
  /** Usually empty: what another user owns or the kernel holds cannot be ended. */
  readonly left: readonly ProcessEntry[]
}

/**
 * SIGTERM to all processes of the call now; SIGKILL to those that are there 2 s later, until none is left. Emits once, when
 * none is left or 635 ms after the first SIGKILL, and completes.
 */
export function endProcesses(processes: CallProcesses): Observable<EndedProcesses> {
  const found = new Map<string, ProcessEntry>()
  const recordFound = (members: readonly ProcessEntry[]): readonly ProcessEntry[] => {
    for (const member of members) found.set(`${member.pid} ${member.startTime}`, member)
    return members
  }
  let left = recordFound(processes.signal('SIGTERM'))
  const gentle$ = lookAfter(gentleLooks, () => (left = recordFound(processes.members())))
  const forced$ = lookAfter(forcedLooks, () => (left = recordFound(processes.signal('SIGKILL'))))
  const ended$ = new AsyncSubject<EndedProcesses>()
  concat(
    defer(() => (left.length === 0 ? EMPTY : gentle$)),
    defer(() => (left.length === 0 ? EMPTY : forced$)),
  )
    .pipe(
      ignoreElements(),
      endWith(undefined),
      map(() => ({ found: [...found.values()], left })),
    )
    .subscribe(ended$)
  return ended$.asObservable()
}

/** Looks after each delay until there is nobody left to see. */
function lookAfter(delays: readonly number[], look: () => readonly ProcessEntry[]): Observable<unknown> {
  return from(delays).pipe(
    concatMap((ms) => timer(ms)),
    map(look),
    takeWhile((members) => members.length > 0),
  )
}
