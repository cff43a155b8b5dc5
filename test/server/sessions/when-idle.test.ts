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

describe('a server is quiet', () => {
  it.each([
    ['when nobody has come', { clients: '0', quiet: '10ms (q|)' }],
    ['when the last client has been gone so long', { clients: '012 5ms 1 5ms 0', quiet: '24ms (q|)' }],
    ['not while a client is there', { clients: '1 150ms', quiet: '' }],
    ['when each that came has gone again', { clients: '0 8ms 1 8ms 0 5ms 1 8ms 0', quiet: '43ms (q|)' }],
    ['not while a run is on without a client', { clients: '0', runs: 'a 30ms b', quiet: '41ms (q|)' }],
    ['also after a run that began while it was waited', { clients: '0', runs: '5ms a 30ms b', quiet: '46ms (q|)' }],
    ['so long after the last of two runs', { clients: '0', runs: 'a 12ms b 4ms a 20ms b', quiet: '49ms (q|)' }],
    ['never, where the clients are not counted any more', { clients: '1|', quiet: '' }],
  ])('%s [SOCKET-idle]', (_, marbles) => {
    check(marbles)
  })

  it('waits in virtual time for as long as a timer can', () => {
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

  it('looks at nothing, and keeps no timer, once it is unsubscribed', () => {
    check({ clients: '0', quiet: '', until: '^ 5ms !' })
  })
})
