// Ends a call's processes: SIGTERM at once, SIGKILL after the grace time.
// Runs to its end even without a subscriber.
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

/** Milliseconds between checks after SIGTERM: 2,000 together. */
const termCheckDelays = [10, 20, 40, 80, 150, 200, 250, 250, 250, 250, 250, 250]
/** Milliseconds between SIGKILLs; several, because a fork may be in flight. */
const killDelays = [0, 5, 10, 20, 40, 80, 160, 320]

/** The processes found alive, in order, and the survivors. */
export interface EndedProcesses {
  readonly found: readonly ProcessEntry[]
  /** Usually empty: processes of another user or held by the kernel cannot be ended. */
  readonly left: readonly ProcessEntry[]
}

/**
 * Sends SIGTERM to all processes of the call now and SIGKILL to the remaining ones after 2 s, until none is left. Emits
 * once, when none is left or 635 ms after the first SIGKILL, and completes.
 */
export function endProcesses(processes: CallProcesses): Observable<EndedProcesses> {
  const found = new Map<string, ProcessEntry>()
  const recordFound = (members: readonly ProcessEntry[]): readonly ProcessEntry[] => {
    for (const member of members) found.set(`${member.pid} ${member.startTime}`, member)
    return members
  }
  let left = recordFound(processes.signal('SIGTERM'))
  const terminate$ = checkAfterEach(termCheckDelays, () => (left = recordFound(processes.members())))
  const kill$ = checkAfterEach(killDelays, () => (left = recordFound(processes.signal('SIGKILL'))))
  const ended$ = new AsyncSubject<EndedProcesses>()
  concat(
    defer(() => (left.length === 0 ? EMPTY : terminate$)),
    defer(() => (left.length === 0 ? EMPTY : kill$)),
  )
    .pipe(
      ignoreElements(),
      endWith(undefined),
      map(() => ({ found: [...found.values()], left })),
    )
    .subscribe(ended$)
  return ended$.asObservable()
}

/** Checks after each delay until no process is left. */
function checkAfterEach(delays: readonly number[], check: () => readonly ProcessEntry[]): Observable<unknown> {
  return from(delays).pipe(
    concatMap((ms) => timer(ms)),
    map(check),
    takeWhile((members) => members.length > 0),
  )
}
