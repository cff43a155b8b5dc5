// One timer, re-armed when it fires, not one a value.
import { asyncScheduler } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

export interface IdleTimes {
  /** Milliseconds until the first value that counts; 0 = no limit. */
  readonly first: number
  /** Milliseconds between values that count; 0 = no limit. */
  readonly each: number
  /** Whether people are asked something, the present value first; the time stands still meanwhile. Default: they never are. */
  readonly asked$?: Observable<boolean> | undefined
}

export interface IdleWatch {
  /** A value that counts has come; gives back when, in Unix ms. */
  counted(): number
  /** Clears the timer. */
  end(): void
}

/** The longest delay that a timer keeps; a longer one would fire at once (RXJS.md 20). */
export const longestDelay = 2 ** 31 - 1

/** Watches from the call on; `stalled` is told once, when none that counts came for the given time. */
export function idleWatch({ first, each, asked$ }: IdleTimes, stalled: (failure: Failure) => void): IdleWatch {
  let last = asyncScheduler.now()
  let limit = first
  let armed: Subscription | undefined
  /** Since when people are asked. */
  let asked: number | undefined

  const arm = (delay: number): void => {
    if (limit > 0 && asked === undefined) armed = asyncScheduler.schedule(check, delay)
  }
  const check = (): void => {
    const left = last + limit - asyncScheduler.now()
    if (left > 0) arm(left)
    else stalled(stall(limit))
  }
  const standOrGoOn = (isAsked: boolean): void => {
    if (isAsked === (asked !== undefined)) return
    const now = asyncScheduler.now()
    armed?.unsubscribe()
    if (asked !== undefined) last += now - Math.max(asked, last)
    asked = isAsked ? now : undefined
    arm(last + limit - now)
  }
  arm(first)
  const asking = asked$?.subscribe({ next: standOrGoOn, error: () => undefined })
  return {
    counted: () => {
      last = asyncScheduler.now()
      if (limit !== each) {
        limit = each
        armed?.unsubscribe()
        arm(each)
      }
      return last
    },
    end: () => {
      asking?.unsubscribe()
      armed?.unsubscribe()
    },
  }
}

/** @throws Failure `bad_request` for a limit above 2³¹−1 */
export function checkIdleTimes({ first, each }: IdleTimes): void {
  for (const limit of [first, each]) {
    if (!(limit >= 0 && limit <= longestDelay))
      throw new Failure('bad_request', `An idle limit of ${limit} ms is not between 0 and ${longestDelay}`)
  }
}

function stall(limit: number): Failure {
  const message = `The provider sent nothing for ${limit / 1000} s; the limit is settings.limits.idleMs`
  return new Failure('provider_error', message, { data: { kind: 'stall' } })
}
