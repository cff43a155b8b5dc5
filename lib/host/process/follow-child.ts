// Follows a child process from its start to one `end` event.
// Steps: exit, drained pipes, leftovers ended, drained pipes, `end`.
import {
  AsyncSubject,
  debounce,
  defer,
  delay,
  delayWhen,
  map,
  NEVER,
  of,
  race,
  startWith,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs'
import type { Observable, Subscriber } from 'rxjs'
import type { CallProcesses } from './process-tree.ts'
import { endProcesses } from './end-processes.ts'
import type { EndedProcesses } from './end-processes.ts'
import { guardGroup } from './guardian.ts'
import { countCall } from './running-processes.ts'
import type { ProcessEnd, ProcessEvent } from './process-event.ts'
import { readOutput } from './read-output.ts'
import type { ChildWithOutput } from './read-output.ts'

export interface FollowedChild {
  readonly child: ChildWithOutput
  /** Its pid, which is also its process group. */
  readonly leader: number
  readonly processes: CallProcesses
  readonly endWhen$: Observable<unknown> | undefined
}

type Exit = Pick<ProcessEnd, 'exitCode' | 'signal'>

/** Milliseconds without output after which an open pipe counts as drained. */
const silenceMs = 100
/** Milliseconds after which a pipe counts as drained even if output continues. */
const drainLimitMs = 1000
/** Milliseconds for a leftover process to end by itself. */
const leftoverGraceMs = 50
/** Most milliseconds between the end of a process and its exit event. */
const exitEventLagMs = 500

/** Emits to the subscriber. The returned teardown starts to end the processes, which then runs to its end. */
export function followChild(followed: FollowedChild, subscriber: Subscriber<ProcessEvent>): () => void {
  const { child, processes, endWhen$ = NEVER } = followed
  const releases = [countCall(), guardGroup(followed.leader)]
  const output = readOutput(child, subscriber)
  const { exit$, closed$ } = observeExit(child)
  const ending = endOnce(processes)
  const drained$ = race(
    closed$,
    output.activity$.pipe(
      startWith(undefined),
      debounce(() => timer(silenceMs)),
    ),
    timer(drainLimitMs),
  ).pipe(take(1))
  const stuck$ = ending.done$.pipe(
    delay(exitEventLagMs), // the exit event arrives a little after the process is gone
    map((): Exit => ({ exitCode: null, signal: 'SIGKILL' })),
  )
  let isEnded = false
  let cutShort = false
  const limit = endWhen$.pipe(take(1), takeUntil(exit$)).subscribe({
    next: () => {
      cutShort = true
      ending.begin()
    },
    error: (error: unknown) => subscriber.error(error),
  })
  const close = (): void => {
    isEnded = true
    output.close()
    releases.forEach((release) => release())
    limit.unsubscribe()
  }
  endAfterExit(race(exit$, stuck$), drained$, () => endLeftovers(processes, ending)).subscribe({
    next: (end) => {
      close()
      subscriber.next({ ...end, cutShort, leftBehind: cutShort ? [] : end.leftBehind })
      subscriber.complete()
    },
    error: (error: unknown) => {
      close()
      subscriber.error(error)
    },
  })
  return () => {
    limit.unsubscribe()
    if (!isEnded) ending.begin()
  }
}

function endAfterExit(
  exit$: Observable<Exit>,
  drained$: Observable<unknown>,
  leftovers: () => Observable<EndedProcesses>,
): Observable<Omit<ProcessEnd, 'cutShort'>> {
  return exit$.pipe(
    take(1),
    delayWhen(() => drained$),
    switchMap((exit) =>
      leftovers().pipe(
        map(({ found, left }) => ({ type: 'end', ...exit, leftBehind: found, survivors: left }) as const),
      ),
    ),
    delayWhen(() => drained$),
  )
}

const noProcesses: EndedProcesses = { found: [], left: [] }

function observeExit(child: ChildWithOutput) {
  const exit$ = new AsyncSubject<Exit>()
  const closed$ = new AsyncSubject<undefined>()
  child.once('exit', (exitCode, signal) => {
    exit$.next({ exitCode, signal })
    exit$.complete()
  })
  child.once('close', () => {
    closed$.next(undefined)
    closed$.complete()
  })
  return { exit$, closed$ }
}

interface Ending {
  /** Starts the ending once. */
  begin(): void
  readonly begun: boolean
  /** Emits when no process is left that could be ended. */
  readonly done$: Observable<EndedProcesses>
}

function endOnce(processes: CallProcesses): Ending {
  const done$ = new AsyncSubject<EndedProcesses>()
  let begun = false
  return {
    done$,
    get begun() {
      return begun
    },
    begin: () => {
      if (begun) return
      begun = true
      endProcesses(processes).subscribe(done$)
    },
  }
}

function endLeftovers(processes: CallProcesses, ending: Ending): Observable<EndedProcesses> {
  const endNow$ = defer(() => {
    if (processes.members().length === 0) return of(noProcesses)
    ending.begin()
    return ending.done$
  })
  if (ending.begun) return ending.done$
  return processes.members().length === 0 ? of(noProcesses) : timer(leftoverGraceMs).pipe(switchMap(() => endNow$))
}
