// A session that nobody needs leaves the server's memory by itself, and comes back as it was when somebody names it.
import {
  EMPTY,
  Observable,
  NEVER,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  repeat,
  switchMap,
  take,
  timer,
} from 'rxjs'
import type { Unsubscribable } from 'rxjs'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { ClosedChanges } from './closed-changes.ts'
import type { Openings } from './session-lifecycle.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { SessionCalls } from '../protocol/bounded-calls.ts'
import type { AgentEvent } from '../../streams/events/event.ts'

/** What a session was opened with; the environment is held in memory only (docs/design/security.md#S7). */
export type OpenSetup = Omit<CommandNamed<'open_session'>, 'type' | 'session'>

export interface RestingSessions {
  /** Closes the session when it has been quiet for so long, until it is unsubscribed. */
  watch(served: ServedSession, setup: OpenSetup): Unsubscribable
  /** What a session is opened with: what of its setup its log did not say when it went to rest, and what is asked for now. */
  wake(session: string, asked: OpenSetup): OpenSetup
  /** Whether it has rested since the server began: what it was is known. */
  has(session: string): boolean
}

export interface RestingOptions {
  /** Milliseconds without client, run, job, open question and unanswered command; 0: none rests. */
  readonly ms: number
  readonly opening: Pick<Openings, 'rest'>
  readonly closed: Pick<ClosedChanges, 'change'>
  readonly calls: Pick<SessionCalls, 'isCalled'>
}

/** Those that rested last are remembered, so many: others are opened again with what their log says. */
const limit = 1_000

export function restingSessions({ ms, opening, closed, calls }: RestingOptions): RestingSessions {
  const resting = new BoundedMap<string, OpenSetup>(limit)
  const rest = (served: ServedSession, setup: OpenSetup): void => {
    const { id } = served.session
    resting.set(id, asItIs(served, setup))
    // whoever opens it meanwhile waits until it is closed; a failure is told again when the server closes
    closed.change(id, () => opening.rest(served)).subscribe({ error: () => undefined })
  }
  return {
    watch: (served, setup) => {
      if (ms === 0) return EMPTY.subscribe()
      const running = (): Observable<unknown>[] => {
        const busy$ = busySession(served)
        if (busy$ !== undefined) return [busy$]
        // an unanswered command tells no event when it is answered
        return calls.isCalled(served.session.id) ? [patientTimer(ms)] : []
      }
      return quietFor({ clients$: served.presence.count$, running, ms, wait: patientTimer }).subscribe(() =>
        rest(served, setup),
      )
    },
    wake: (session, asked) => ({ ...resting.get(session), ...asked }),
    has: (session) => resting.has(session),
  }
}

/**
 * What was asked for and the log does not say: what it says holds anyway, also where another process has changed it since, and
 * a model that is named counts as chosen by somebody.
 */
function asItIs({ session }: ServedSession, { model, thinkingLevel, tools, ...setup }: OpenSetup): OpenSetup {
  const logged = session.state$.value
  const name = modelName(session.model)
  const names = session.activeTools.map((tool) => tool.name)
  return {
    ...setup,
    cwd: session.header.cwd,
    ...(model === undefined || logged.model === name ? {} : { model: name }),
    ...(thinkingLevel === undefined || logged.thinkingLevel === session.thinkingLevel
      ? {}
      : { thinkingLevel: session.thinkingLevel }),
    ...(tools === undefined || isSameJson(logged.activeTools, names) ? {} : { tools: names }),
  }
}

// Waiting that nobody depends on: a process that has nothing else to do ends over it.

/** Emits once after so many milliseconds (below 2³¹) and completes; does not keep the process alive. */
function patientTimer(ms: number): Observable<void> {
  return new Observable((subscriber) => {
    const timer = setTimeout(() => {
      subscriber.next()
      subscriber.complete()
    }, ms)
    timer.unref()
    return () => {
      clearTimeout(timer)
    }
  })
}

// A server is quiet while nobody is connected and nothing runs; how long it has been so is a matter of two streams and one timer.

interface QuietOptions {
  /** How many are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** One Observable for each run that is on; it emits or completes when that run has ended. */
  running(): readonly Observable<unknown>[]
  /** Milliseconds, below 2³¹. */
  readonly ms: number
  /** Emits when so many milliseconds are over. Default: rxjs' timer. */
  readonly wait?: (ms: number) => Observable<unknown>
}

/**
 * Emits once, when for `ms` there has been neither client nor run, and completes. Each client that comes, and each run, begins
 * the time anew; nothing is looked at while a client is there.
 */
export function quietFor({ clients$, running, ms, wait = inTime }: QuietOptions): Observable<void> {
  // who looks when the time is over sees also the runs that have begun by themselves meanwhile
  const looked$ = wait(ms).pipe(map(() => running().length === 0))
  const alone$ = defer(() => concat(merge(...running().map(untilItEnds)), looked$)).pipe(repeat(), filter(Boolean))
  return clients$.pipe(
    map((clients) => clients === 0),
    distinctUntilChanged(),
    switchMap((isAlone) => (isAlone ? alone$ : NEVER)),
    map(() => undefined),
    take(1),
  )
}

function inTime(ms: number): Observable<unknown> {
  return timer(ms)
}

function untilItEnds(run$: Observable<unknown>): Observable<never> {
  return run$.pipe(take(1), ignoreElements())
}

// A session is busy while something in it goes on without its clients: a run, a job, or a question that waits for people.

const ends: ReadonlySet<AgentEvent['type']> = new Set(['agent_settled', 'job_end', 'ui_resolved'])

/** Nothing where it is not busy; else what emits when some of it has ended, and completes when the session is closed. */
export function busySession({ session }: Pick<ServedSession, 'session'>): Observable<unknown> | undefined {
  const { running, jobs, requests } = session.state$.value
  if (running === undefined && jobs.length === 0 && requests.length === 0) return undefined
  return session.events$.pipe(filter(({ type }) => ends.has(type)))
}
