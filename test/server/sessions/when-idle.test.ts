// Tests when a server counts as idle: no client, and no run.
import { Subject, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { whenIdle } from '../../../lib/server/sessions/idle-eviction.ts'

/** In `runs`, `a` begins a run and `b` ends all open runs. */
function check(marbles: { clients: string; runs?: string; quiet: string; until?: string }): void {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected)
  })
  scheduler.run(({ cold, expectObservable }) => {
    const counts = { '0': 0, '1': 1, '2': 2 }
    const runs = new Set<Subject<void>>()
    cold(marbles.runs ?? '').subscribe((letter) => {
      if (letter === 'a') runs.add(new Subject())
      else
        for (const run$ of runs) {
          runs.delete(run$)
          run$.next()
        }
    })
    const running = (): Observable<unknown>[] => [...runs]
    const quiet$ = whenIdle({ clients$: cold(marbles.clients, counts), listRunning: running, ms: 10 })
    expectObservable(quiet$, marbles.until ?? '^ 200ms !').toBe(marbles.quiet, { q: undefined })
  })
}

describe('whenIdle', () => {
  it.each([
    ['emits if no client has connected', { clients: '0', quiet: '10ms (q|)' }],
    ['emits when the last client has been gone for the time', { clients: '012 5ms 1 5ms 0', quiet: '24ms (q|)' }],
    ['does not emit while a client is connected', { clients: '1 150ms', quiet: '' }],
    ['emits when each client has left again', { clients: '0 8ms 1 8ms 0 5ms 1 8ms 0', quiet: '43ms (q|)' }],
    ['does not emit during a run without a client', { clients: '0', runs: 'a 30ms b', quiet: '41ms (q|)' }],
    ['emits after a run that began during the wait', { clients: '0', runs: '5ms a 30ms b', quiet: '46ms (q|)' }],
    ['emits the time after the last of two runs', { clients: '0', runs: 'a 12ms b 4ms a 20ms b', quiet: '49ms (q|)' }],
    ['never emits after the count of clients has completed', { clients: '1|', quiet: '' }],
  ])('%s [SOCKET-idle]', (_, marbles) => {
    check(marbles)
  })

  it('waits up to 2³¹ milliseconds, in virtual time', () => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected)
    })
    scheduler.run(({ expectObservable }) => {
      const ms = 30 * 60_000
      expectObservable(whenIdle({ clients$: of(0), listRunning: () => [], ms })).toBe('1800000ms (q|)', {
        q: undefined,
      })
    })
  })

  it('checks nothing and holds no timer after it is unsubscribed', () => {
    check({ clients: '0', quiet: '', until: '^ 5ms !' })
  })
})
