// Tests the operator that runs an action if the subscriber unsubscribes early.
import { EMPTY, NEVER, concat, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { onAbandon } from '../../../lib/streams/rx/on-abandon.ts'

function countCalls() {
  const calls = { times: 0 }
  return { calls, act: () => void (calls.times += 1) }
}

describe('onAbandon', () => {
  it('acts once if the subscriber unsubscribes early, for each subscription separately', () => {
    const { calls, act } = countCalls()
    const left$ = NEVER.pipe(onAbandon(act))
    left$.subscribe().unsubscribe()
    expect(calls.times).toBe(1)
    left$.subscribe().unsubscribe()
    expect(calls.times).toBe(2)
  })

  it.each([
    ['a value', concat(of(1), NEVER)],
    ['the end', EMPTY],
    ['a failure', throwError(() => new Error('no'))],
  ])('does not act after %s', (_, source$) => {
    const { calls, act } = countCalls()
    source$
      .pipe(onAbandon<unknown>(act))
      .subscribe({ error: () => undefined })
      .unsubscribe()
    expect(calls.times).toBe(0)
  })
})
