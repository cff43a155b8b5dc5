// Tests how the processes of a call are ended: SIGTERM, then SIGKILL.
import { TestScheduler } from 'rxjs/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CallProcesses } from '../../../lib/host/process/process-tree.ts'
import { endProcesses } from '../../../lib/host/process/end-processes.ts'
import type { ProcessEntry } from '../../../lib/host/process/process-table.ts'

const entry: ProcessEntry = { pid: 7, parent: 1, group: 7, startTime: '5', name: 'sleep' }
let scheduler: TestScheduler
let sent: string[]

beforeEach(() => {
  sent = []
  scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected))
})

/** A process that ends at a virtual time, or at the n-th SIGKILL. */
function fake({ at = Infinity, kills = Infinity }): CallProcesses {
  const members = () =>
    scheduler.now() >= at || sent.filter((line) => line.endsWith('KILL')).length >= kills ? [] : [entry]
  return {
    members,
    signal: (signal) => {
      const found = members()
      sent.push(`${scheduler.now()} ${signal}`)
      return found
    },
  }
}

describe('endProcesses', () => {
  it('signals at once, also without a subscriber', () => {
    scheduler.run(({ flush }) => {
      void endProcesses(fake({ at: 5 }))
      expect(sent).toEqual(['0 SIGTERM'])
      flush()
    })
    expect(sent).toEqual(['0 SIGTERM'])
  })

  it('completes at once if no process is left', () => {
    scheduler.run(({ expectObservable }) => {
      expectObservable(endProcesses(fake({ at: 0 }))).toBe('(a|)', { a: { found: [], left: [] } })
    })
  })

  it('checks soon whether SIGTERM was enough, and emits the processes it found', () => {
    scheduler.run(({ expectObservable }) => {
      expectObservable(endProcesses(fake({ at: 25 }))).toBe('30ms (a|)', { a: { found: [entry], left: [] } })
    })
  })

  it('kills the remaining processes after 2 s, until none is left [LOOP-24g]', () => {
    scheduler.run(({ expectObservable }) => {
      expectObservable(endProcesses(fake({ kills: 3 }))).toBe('2035ms (a|)', { a: { found: [entry], left: [] } })
    })
    expect(sent).toEqual(['0 SIGTERM', '2000 SIGKILL', '2005 SIGKILL', '2015 SIGKILL', '2035 SIGKILL'])
  })

  it('gives up on a process that cannot be ended, and reports it', () => {
    scheduler.run(({ expectObservable }) => {
      expectObservable(endProcesses(fake({}))).toBe('2635ms (a|)', { a: { found: [entry], left: [entry] } })
    })
  })

  it('continues after its subscriber unsubscribes', () => {
    scheduler.run(({ expectObservable }) => {
      expectObservable(endProcesses(fake({ kills: 1 })), '100ms !').toBe('')
    })
    expect(sent).toEqual(['0 SIGTERM', '2000 SIGKILL', '2005 SIGKILL'])
  })
})
