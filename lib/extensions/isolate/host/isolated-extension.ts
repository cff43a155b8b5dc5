// Makes an extension of a module in a worker thread, and starts a new worker when one is lost.
// Guarantees: unloading the extension ends its worker; calls wait for a new worker, each up to its time limit.
import {
  BehaviorSubject,
  EMPTY,
  NEVER,
  catchError,
  concat,
  concatMap,
  defer,
  finalize,
  ignoreElements,
  mergeMap,
  tap,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionApi } from '../../api/extension-api.ts'
import { Failure } from '../../../streams/values/failure.ts'
import { setupLimitMs } from '../../lifecycle/extension-set.ts'
import { within } from '../../lifecycle/settle.ts'
import { startThread } from './isolate-thread.ts'
import type { IsolateThread, LostThread, ThreadOptions } from './isolate-thread.ts'
import { sessionServices } from './session-services.ts'
import { workerRegistrations } from './worker-registrations.ts'
import type { WorkerRegistrations } from './worker-registrations.ts'

export interface IsolateOptions extends ThreadOptions {
  /** Completes if the files are still those that may run; otherwise fails, and the extension stays ended. */
  readonly checkFiles$: Observable<never>
  /** Called with each worker that is lost; a call that failed has reported it if `isReported`. It may unload the extension. */
  onLost(lost: LostThread): void
  /** Called when there will be no new worker. It unloads the extension. */
  onAbandon(failure: Failure): void
}

/** Export of a module that is not isolated. */
export type IsolatedExport = Readonly<Record<string, unknown>> & { setup(api: ExtensionApi): unknown }

/**
 * `use$` gets the manifest and a `setup`, which it may call once. If it ends before it has called it, the worker ends. Fails with
 * `bad_config` if the module cannot be loaded.
 */
export function withIsolated<Value>(
  options: IsolateOptions,
  use$: (exported: IsolatedExport) => Observable<Value>,
): Observable<Value> {
  return startThread(options).pipe(
    mergeMap((thread) => {
      let isUsed = false
      const setup$ = (api: ExtensionApi): Observable<never> => {
        if (isUsed) throw new Failure('bad_request', `The worker of ${options.name} is set up already`)
        isUsed = true
        return runWorkers(thread, api, options)
      }
      return defer(() => use$({ ...thread.manifest, setup: setup$ })).pipe(
        finalize(() => {
          if (!isUsed) thread.end()
        }),
      )
    }),
  )
}

interface Running {
  readonly api: ExtensionApi
  readonly options: IsolateOptions
  readonly registrations: WorkerRegistrations
  /** The worker that is set up. */
  readonly thread$: BehaviorSubject<IsolateThread | undefined>
  /** How often a worker was lost soon after its start. */
  failures: number
  /** Milliseconds since the start of the process. */
  startedAt: number
}

/** Completes when the first worker is set up; fails as its `setup` does. */
function runWorkers(thread: IsolateThread, api: ExtensionApi, options: IsolateOptions): Observable<never> {
  const thread$ = new BehaviorSubject<IsolateThread | undefined>(undefined)
  api.scope.onEnd(() => {
    thread$.complete() // no call waits for a worker any more
  })
  const registrations = workerRegistrations({ api, thread$, name: options.name })
  return setUp(thread, { api, options, thread$, registrations, failures: 0, startedAt: 0 })
}

/** The worker counts once its `setup` has completed. It ends with the extension, or if its `setup` fails. */
function setUp(thread: IsolateThread, running: Running): Observable<never> {
  const { api, options, registrations, thread$ } = running
  return defer(() => {
    // not `onEnd`: the extension outlives its workers, and must not hold those that are lost
    const held = api.scope.end$.subscribe(thread.end)
    registrations.begin()
    thread.use(sessionServices(api, registrations))
    const session = { id: api.session.id, cwd: api.session.cwd }
    const answer$ = thread.call$('setup', { session, name: options.name, config: api.config$.value })
    const ready$ = defer(() => {
      registrations.finish()
      running.startedAt = performance.now()
      thread.lost$.pipe(api.scope.bind()).subscribe((lost) => {
        held.unsubscribe()
        replace(lost, running)
      })
      thread$.next(thread)
      return EMPTY
    })
    let isReady = false
    return concat(answer$.pipe(ignoreElements()), ready$).pipe(
      tap({ complete: () => (isReady = true) }),
      finalize(() => {
        if (isReady || held.closed) return
        held.unsubscribe()
        thread.end()
      }),
    )
  })
}

/** Milliseconds before a new worker, by how often one was lost in a row. */
const delays = [0, 500, 1_000, 2_000, 5_000]
/** A worker that ran longer than this did not fail at its start. */
const steadyMs = 60_000

function replace(lost: LostThread, running: Running): void {
  const { api, options, thread$ } = running
  thread$.next(undefined)
  options.onLost(lost)
  if (api.scope.ended) return // it had too many faults
  if (performance.now() - running.startedAt > steadyMs) running.failures = 0
  const delayMs = delays[Math.min(running.failures, delays.length - 1)] ?? 0
  running.failures += 1
  const files$ = options.checkFiles$.pipe(
    catchError((thrown: unknown) => {
      options.onAbandon(Failure.from(thrown))
      return NEVER
    }),
  )
  concat(timer(delayMs).pipe(ignoreElements()), files$, restart(running))
    .pipe(api.scope.bind())
    .subscribe({
      error: (thrown: unknown) => {
        replace({ failure: Failure.from(thrown), isReported: false }, running)
      },
    })
}

function restart(running: Running): Observable<never> {
  return startThread(running.options).pipe(concatMap((thread) => within(setUp(thread, running), setupLimitMs)))
}
