// A session that nobody needs leaves the server's memory by itself, and comes back as it was when somebody names it.
import { EMPTY, Observable } from 'rxjs'
import type { Unsubscribable } from 'rxjs'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { modelName } from '../../streams/models/model.ts'
import { isSameJson } from '../../streams/values/json.ts'
import { busySession } from './busy-session.ts'
import type { ClosedChanges } from './closed-changes.ts'
import type { Openings } from './openings.ts'
import { quietFor } from './quiet-for.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { SessionCalls } from './session-calls.ts'

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
