// Evicts idle sessions from memory; a later command opens them again as they were.
import {
  EMPTY,
  catchError,
  Observable,
  NEVER,
  concat,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
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
import type { SessionLifecycle } from './session-lifecycle.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { SessionCalls } from '../protocol/bounded-calls.ts'
import type { AgentEvent } from '../../streams/events/event.ts'

/** The options that a session was opened with; the environment is held in memory only (docs/design/security.md#S7). */
export type OpenSetup = Omit<CommandNamed<'open_session'>, 'type' | 'session'>

export interface IdleEviction {
  /** Closes the session when it has been idle for long enough; unsubscribing stops watching. */
  watch(served: ServedSession, setup: OpenSetup): Unsubscribable
  /** Returns the options to open a session with: the stored ones that its log does not have, and the requested ones. */
  restore(session: string, requested: OpenSetup): OpenSetup
  /** Whether the session was evicted since the server started, and its options are stored. */
  has(session: string): boolean
  /** Evicts every session that is idle now; completes when they are closed. */
  evictIdle(): Observable<never>
  /** Drops the stored options: only `open_session` opens the session again. */
  forget(session: string): void
}

export interface IdleEvictionOptions {
  /** Milliseconds without client, run, job, open question and unanswered command; 0: never. */
  readonly ms: number
  readonly lifecycle: Pick<SessionLifecycle, 'evict'>
  readonly closed: Pick<ClosedChanges, 'change'>
  readonly calls: Pick<SessionCalls, 'hasCalls'>
}

/** Evicted sessions whose options are stored; older ones are opened again with what their log says. */
const limit = 1_000

export function idleEviction({ ms, lifecycle, closed, calls }: IdleEvictionOptions): IdleEviction {
  const evicted = new BoundedMap<string, OpenSetup>(limit)
  const watched = new Map<ServedSession, OpenSetup>()
  const evict$ = (served: ServedSession, setup: OpenSetup): Observable<never> => {
    const { id } = served.session
    evicted.set(id, unloggedSetup(served, setup))
    // opening it meanwhile waits until it is closed; the server reports a failure again when it closes
    return closed.change(id, () => lifecycle.evict(served)).pipe(catchError(() => EMPTY))
  }
  const isIdle = (served: ServedSession): boolean =>
    served.presence.count$.value === 0 && activityEnd(served) === undefined && !calls.hasCalls(served.session.id)
  return {
    watch: (served, setup) => {
      if (ms === 0) return EMPTY.subscribe()
      const listRunning = (): Observable<unknown>[] => {
        const ended$ = activityEnd(served)
        if (ended$ !== undefined) return [ended$]
        // answering a command publishes no event
        return calls.hasCalls(served.session.id) ? [unrefTimer(ms)] : []
      }
      watched.set(served, setup)
      const evicting = whenIdle({ clients$: served.presence.count$, listRunning, ms, wait: unrefTimer })
        .pipe(mergeMap(() => evict$(served, setup)))
        .subscribe()
      evicting.add(() => watched.delete(served))
      return evicting
    },
    restore: (session, requested) => ({ ...evicted.get(session), ...requested }),
    has: (session) => evicted.has(session),
    evictIdle: () =>
      defer(() => merge(...[...watched].flatMap(([served, setup]) => (isIdle(served) ? [evict$(served, setup)] : [])))),
    forget: (session) => evicted.delete(session),
  }
}

/**
 * Returns the options that the log does not have. What the log has is left out: another process may change it, and a
 * model in the options would count as chosen by a client.
 */
function unloggedSetup(
  { session }: ServedSession,
  { model, thinkingLevel, tools, approve, requireModel: _, ...setup }: OpenSetup,
): OpenSetup {
  const logged = session.state$.value
  const name = modelName(session.model)
  const mode = session.approvalMode ?? approve
  const names = session.activeTools.map((tool) => tool.name)
  return {
    ...setup,
    cwd: session.header.cwd,
    ...(mode === undefined ? {} : { approve: mode }), // a log loosens nothing
    ...(model === undefined || logged.model === name ? {} : { model: name }),
    ...(thinkingLevel === undefined || logged.thinkingLevel === session.thinkingLevel
      ? {}
      : { thinkingLevel: session.thinkingLevel }),
    ...(tools === undefined || isSameJson(logged.activeTools, names) ? {} : { tools: names }),
  }
}

/** Emits once after so many milliseconds (below 2³¹) and completes; its timer does not keep the process alive. */
function unrefTimer(ms: number): Observable<void> {
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

interface IdleOptions {
  /** How many clients are connected, now and from then on. */
  readonly clients$: Observable<number>
  /** Returns one Observable for each active run; it emits or completes when that run has ended. */
  listRunning(): readonly Observable<unknown>[]
  /** Milliseconds, below 2³¹. */
  readonly ms: number
  /** Emits after so many milliseconds. Default: rxjs' timer. */
  readonly wait?: (ms: number) => Observable<unknown>
}

/**
 * Emits once, when there has been neither client nor run for `ms` milliseconds, and completes. Each client and each run
 * restarts the time. Checks nothing while a client is connected.
 */
export function whenIdle({ clients$, listRunning, ms, wait = rxjsTimer }: IdleOptions): Observable<void> {
  // checked again at the end of the time: a run can begin without a client
  const isIdle$ = wait(ms).pipe(map(() => listRunning().length === 0))
  const idle$ = defer(() => concat(merge(...listRunning().map(untilEnd)), isIdle$)).pipe(repeat(), filter(Boolean))
  return clients$.pipe(
    map((clients) => clients === 0),
    distinctUntilChanged(),
    switchMap((isEmpty) => (isEmpty ? idle$ : NEVER)),
    map(() => undefined),
    take(1),
  )
}

function rxjsTimer(ms: number): Observable<unknown> {
  return timer(ms)
}

function untilEnd(run$: Observable<unknown>): Observable<never> {
  return run$.pipe(take(1), ignoreElements())
}

const endEvents: ReadonlySet<AgentEvent['type']> = new Set([
  'agent_settled',
  'job_end',
  'ui_resolved',
  'question_resolved',
])

/**
 * Undefined for an idle session, and for one whose log takes no lines: the end of its run is never written. Else emits
 * when a run, job or question has ended, and completes when the session is closed.
 */
export function activityEnd({ session }: Pick<ServedSession, 'session'>): Observable<unknown> | undefined {
  const { running, jobs, requests, questions } = session.state$.value
  if (session.readOnly !== undefined) return undefined
  const open = jobs.length + requests.length + questions.length
  if (running === undefined && open === 0) return undefined
  return session.events$.pipe(filter(({ type }) => endEvents.has(type)))
}
