// Follows a child process from its start to one `end` event.
// Steps: exit, drained pipes, leftovers ended, drained pipes, `end`.
import {
  AsyncSubject,
  debounceTime,
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

/** Milliseconds of silence after which an open pipe counts as drained; and the most that continuous output gets. */
const silence = 100
const patience = 1000
/** Milliseconds for a leftover process to end by itself. */
const lastChance = 50
/** Most milliseconds between the end of a process and its exit event. */
const slack = 500

/** Emits to the subscriber. The returned teardown starts to end the processes, which then runs to its end. */
export function followChild(followed: FollowedChild, subscriber: Subscriber<ProcessEvent>): () => void {
  const { child, processes, endWhen$ = NEVER } = followed
  const releases = [countCall(), guardGroup(followed.leader)]
  const output = readOutput(child, subscriber)
  const { exit$, closed$ } = followLife(child)
  const ending = endOnce(processes)
  const drained$ = race(
    closed$,
    output.activity$.pipe(startWith(undefined), debounceTime(silence)),
    timer(patience),
  ).pipe(take(1))
  const stuck$ = ending.done$.pipe(
    delay(slack), // the exit event arrives a little after the process is gone
    map((): Exit => ({ exitCode: null, signal: 'SIGKILL' })),
  )
  let over = false
  let cutShort = false
  const limit = endWhen$.pipe(take(1), takeUntil(exit$)).subscribe({
    next: () => {
      cutShort = true
      ending.begin()
    },
    error: (error: unknown) => subscriber.error(error),
  })
  const close = (): void => {
    over = true
    output.close()
    releases.forEach((release) => release())
    limit.unsubscribe()
  }
  exitOf(race(exit$, stuck$), drained$, () => endLeftovers(processes, ending)).subscribe({
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
    if (!over) ending.begin()
  }
}

function exitOf(
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

const none: EndedProcesses = { found: [], left: [] }

function followLife(child: ChildWithOutput) {
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
    if (processes.members().length === 0) return of(none)
    ending.begin()
    return ending.done$
  })
  if (ending.begun) return ending.done$
  return processes.members().length === 0 ? of(none) : timer(lastChance).pipe(switchMap(() => endNow$))
}
