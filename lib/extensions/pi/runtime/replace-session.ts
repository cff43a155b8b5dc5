// Lets a module of pi go on in another session: clients open it, and the module's work follows there.
import { filter, firstValueFrom, interval, map, merge, startWith, take, tap, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { unsupported } from '../contract/unsupported.ts'
import { Failure } from '../../../streams/values/failure.ts'

interface ReplaceOptions {
  setup?(manager: unknown): unknown
  withSession?(context: PiRecord): unknown
}

interface Waiting {
  readonly from: string
  readonly cwd: string
  readonly reason: 'new' | 'open'
  /** The session that is opened; undefined for a new one. */
  readonly to: string | undefined
  start(runtime: PiRuntime): Promise<void>
}

/** Milliseconds until a client has opened the session, and until it shows it. */
const openLimitMs = 60_000
const screenLimitMs = 5_000

/** By the file of the module: its next session in the folder takes the work over. */
const waiting = new Map<string, Waiting[]>()

/** `ctx.newSession`, `ctx.fork`. Resolves when the other session is there; `cancelled` if no client opened it. */
export async function replaceSession(
  runtime: PiRuntime,
  name: string,
  to: string | undefined,
  options: ReplaceOptions = {},
): Promise<{ readonly cancelled: boolean }> {
  const { api, path, limits } = runtime
  if (api.ui.screen() === undefined) throw unsupported(name, 'no client that opens sessions is attached')
  if (options.setup !== undefined)
    limits.report(`setup of ${name}`, 'the other session begins without entries of the module')
  const { promise, resolve } = Promise.withResolvers<{ readonly cancelled: boolean }>()
  const own: Waiting = {
    ...{ from: api.session.id, cwd: api.session.cwd, to, reason: to === undefined ? 'new' : 'open' },
    start: async (other) => {
      resolve({ cancelled: false })
      await untilScreen(other)
      await options.withSession?.(replacedContext(other))
    },
  }
  waiting.set(path, [...(waiting.get(path) ?? []), own])
  const late$ = timer(openLimitMs).pipe(
    tap(() => limits.report(name, `no client opened the session within ${openLimitMs / 1000} s`)),
  )
  const limit = merge(late$, api.scope.end$)
    .pipe(take(1))
    .subscribe(() => {
      stopWaiting(path, own)
      resolve({ cancelled: true })
    })
  void promise.then(() => limit.unsubscribe())
  api.session.requestOpen(to)
  return promise
}

/** Takes over what a module began in the session before this one. A failure of it is shown here. */
export function continueReplaced(runtime: PiRuntime, reason: string): void {
  const { id, cwd } = runtime.api.session
  const all = waiting.get(runtime.path) ?? []
  const own = all.find(
    (each) => each.from !== id && each.cwd === cwd && each.reason === reason && (each.to ?? id) === id,
  )
  if (own === undefined) return
  stopWaiting(runtime.path, own)
  own.start(runtime).catch((error: unknown) => {
    runtime.api.ui.notify(`${runtime.path}: ${Failure.from(error).message}`, 'error')
  })
}

function stopWaiting(path: string, own: Waiting): void {
  const others = waiting.get(path)?.filter((each) => each !== own) ?? []
  if (others.length === 0) waiting.delete(path)
  else waiting.set(path, others)
}

/** Settles when a client shows the session; after 5 s without one too, with false. */
export function untilScreen({ api }: PiRuntime): Promise<boolean> {
  const hasScreen = (): boolean => api.ui.screen() !== undefined
  const shown$: Observable<boolean> = interval(50).pipe(startWith(0), map(hasScreen), filter(Boolean), take(1))
  const over$ = merge(timer(screenLimitMs), api.scope.end$).pipe(take(1))
  return firstValueFrom(merge(shown$, over$.pipe(map(() => false))).pipe(take(1)), { defaultValue: false })
}

/** The context with what sends messages, as `withSession` gets it. */
function replacedContext({ context, pi }: PiRuntime): PiRecord {
  const { sendMessage, sendUserMessage } = pi
  return Object.create(context, {
    sendMessage: { value: sendMessage },
    sendUserMessage: { value: sendUserMessage },
  }) as PiRecord
}
