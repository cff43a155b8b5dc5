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
import type { CallProcesses } from './call-processes.ts'
import type { ProcessEntry } from './process-table.ts'

/** Milliseconds between looks at what is left, SIGTERM having been sent: 2,000 together. */
const gentleLooks = [10, 20, 40, 80, 150, 200, 250, 250, 250, 250, 250, 250]
/** Milliseconds between SIGKILLs; several, because a fork may be in flight. */
const forcedLooks = [0, 5, 10, 20, 40, 80, 160, 320]

/**
 * SIGTERM to all processes of the call now; SIGKILL to those that are there 2 s later, until none is left. Emits all that
 * were found alive, in the order they were found, and completes once none is left, or 650 ms after the first SIGKILL:
 * a process that is stuck in the kernel cannot be ended.
 */
export function endProcesses(processes: CallProcesses): Observable<readonly ProcessEntry[]> {
  const found = new Map<string, ProcessEntry>()
  const keep = (members: readonly ProcessEntry[]): number => {
    for (const member of members) found.set(`${member.pid} ${member.startTime}`, member)
    return members.length
  }
  let left = keep(processes.signal('SIGTERM'))
  const gentle$ = lookAfter(gentleLooks, () => (left = keep(processes.members())))
  const forced$ = lookAfter(forcedLooks, () => (left = keep(processes.signal('SIGKILL'))))
  const ended$ = new AsyncSubject<readonly ProcessEntry[]>()
  concat(
    defer(() => (left === 0 ? EMPTY : gentle$)),
    defer(() => (left === 0 ? EMPTY : forced$)),
  )
    .pipe(
      ignoreElements(),
      endWith(undefined),
      map(() => [...found.values()]),
    )
    .subscribe(ended$)
  return ended$.asObservable()
}

/** Looks after each delay until there is nobody left to see. */
function lookAfter(delays: readonly number[], look: () => number): Observable<number> {
  return from(delays).pipe(
    concatMap((ms) => timer(ms)),
    map(look),
    takeWhile((count) => count > 0),
  )
}
