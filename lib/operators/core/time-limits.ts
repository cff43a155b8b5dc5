// Limits the time of a stream, and pauses the limit while a question to the user is open.
import { Observable, asyncScheduler, NEVER, timer } from 'rxjs'
import type { MonoTypeOperatorFunction, Subscription } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { operate } from './operate.ts'

export interface IdleTimes {
  /** Milliseconds until the first value that counts; 0 = no limit. */
  readonly first: number
  /** Milliseconds between values that count; 0 = no limit. */
  readonly each: number
  /** True while a question to the user is open, the present value first; the time pauses meanwhile. Default: never. */
  readonly questionOpen$?: Observable<boolean> | undefined
}

export interface IdleLimitOptions<Value = unknown> extends IdleTimes {
  /** False for a value that is passed on without restarting the clock. Default: every value counts. */
  readonly counts?: (value: Value) => boolean
}

/**
 * Milliseconds that a timer may be late. A longer difference between timer and clock means that the clock was set, or
 * that the machine slept: then the clock does not tell how long a stream was silent.
 */
const lateMs = 1_000

/** The longest delay that a timer keeps; a longer one would fire at once (docs/design/rxjs.md#20). */
export const longestDelay = 2 ** 31 - 1

/**
 * Passes values on and fails with Failure `provider_error`, kind `stall`, if no value that counts came in time. The
 * time runs from the subscription and then from one such value to the next; while `questionOpen$` is true it pauses. A
 * throw of `counts` fails it too. Buffers nothing; on unsubscribe or end the timer is cleared.
 * @throws Failure `bad_request` for a limit above 2³¹−1
 */
export function idleLimit<Value>({ counts, ...times }: IdleLimitOptions<Value>): MonoTypeOperatorFunction<Value> {
  checkIdleTimes(times)
  return (source$) =>
    new Observable((subscriber) => {
      const watch = watchIdle(times, (failure) => {
        subscriber.error(failure)
      })
      subscriber.add(watch.end)
      source$.subscribe(
        operate<Value, Value>({
          destination: subscriber,
          next: (value) => {
            if (counts === undefined || counts(value)) watch.restart()
            subscriber.next(value)
          },
        }),
      )
    })
}

interface IdleWatch {
  /** A value that counts has come. */
  restart(): void
  /** Clears the timer. */
  end(): void
}

/**
 * Watches from the call on and calls `onStall` once if no value that counts came in time. Re-arms one timer, not one a
 * value. If the clock is set meanwhile, the time begins anew with the next check.
 */
function watchIdle({ first, each, questionOpen$ }: IdleTimes, onStall: (failure: Failure) => void): IdleWatch {
  let last = asyncScheduler.now()
  let limit = first
  let timer: Subscription | undefined
  let pausedAt: number | undefined
  /** A value came since the timer was armed. */
  let hasNew = false

  const arm = (delay: number): void => {
    hasNew = false
    if (limit > 0 && pausedAt === undefined) timer = asyncScheduler.schedule(check, delay)
  }
  const left = (now: number): number => {
    const byClock = last + limit - now
    return byClock > limit || byClock < -lateMs ? limit : byClock
  }
  const check = (): void => {
    const rest = hasNew ? left(asyncScheduler.now()) : 0
    if (rest > 0) arm(rest)
    else onStall(stallFailure(limit))
  }
  const setPaused = (isPaused: boolean): void => {
    const now = asyncScheduler.now()
    timer?.unsubscribe()
    if (pausedAt !== undefined) last += now - Math.max(pausedAt, last)
    pausedAt = isPaused ? now : undefined
    arm(left(now))
  }
  arm(first)
  const pauses = questionOpen$?.subscribe({ next: setPaused, error: () => undefined })
  return {
    restart: () => {
      last = asyncScheduler.now()
      hasNew = true
      if (limit === each) return
      limit = each
      timer?.unsubscribe()
      arm(each)
    },
    end: () => {
      pauses?.unsubscribe()
      timer?.unsubscribe()
    },
  }
}

function checkIdleTimes({ first, each }: IdleTimes): void {
  for (const limit of [first, each]) {
    if (!(limit >= 0 && limit <= longestDelay))
      throw new Failure('bad_request', `An idle limit of ${limit} ms is not between 0 and ${longestDelay}`)
  }
}

function stallFailure(limit: number): Failure {
  const message = `The provider sent no content for ${limit / 1000} s; to wait longer, raise limits.idleMs in settings.json`
  return new Failure('provider_error', message, { data: { kind: 'stall' } })
}

/**
 * Emits once when `limitMs` are over, and completes; never if that is 0. Cold: each subscription counts anew. While the
 * last value of `waiting$` is true the time pauses; its end and its errors change nothing. Without it the time always
 * runs.
 */
export function pausableTimer(limitMs: number, waiting$?: Observable<boolean>): Observable<unknown> {
  if (limitMs === 0) return NEVER
  if (waiting$ === undefined) return timer(limitMs)
  return new Observable((subscriber) => {
    let left = limitMs
    let since = asyncScheduler.now()
    let armed: Subscription | undefined
    const arm = (): void => {
      if (armed !== undefined) return
      since = asyncScheduler.now()
      armed = asyncScheduler.schedule(emitEnd, left)
    }
    const pause = (): void => {
      if (armed === undefined) return
      const passed = asyncScheduler.now() - since
      if (passed >= 0 && passed <= left + lateMs) left = Math.max(0, left - passed) // otherwise the clock was set
      armed.unsubscribe()
      armed = undefined
    }
    const emitEnd = (): void => {
      subscriber.next(undefined)
      subscriber.complete()
    }
    arm()
    subscriber.add(() => armed?.unsubscribe())
    subscriber.add(waiting$.subscribe({ next: (isWaiting) => (isWaiting ? pause() : arm()), error: () => undefined }))
  })
}
