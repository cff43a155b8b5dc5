// Tests the wait for the processes of ended calls.
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import { timer } from 'rxjs'
import { countCall, countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'

function inVirtualTime(work: Parameters<TestScheduler['run']>[0]): void {
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(work)
}

describe('processesSettled', () => {
  it('emits at once if no process runs', () => {
    inVirtualTime(({ expectObservable }) => expectObservable(processesSettled()).toBe('(a|)', { a: undefined }))
  })

  it('waits for the last of several calls', () => {
    inVirtualTime(({ expectObservable, flush }) => {
      const [one, two] = [countCall(), countCall()]
      expect(countLiveCalls()).toBe(2)
      timer(10).subscribe(one)
      timer(11).subscribe(one)
      timer(30).subscribe(two)
      expectObservable(processesSettled()).toBe('30ms (a|)', { a: undefined })
      flush()
      expect(countLiveCalls()).toBe(0)
    })
  })

  it('waits no longer than its limit, 2.5 s by default', () => {
    inVirtualTime(({ expectObservable }) => {
      timer(5000).subscribe(countCall())
      expectObservable(processesSettled()).toBe('2500ms (a|)', { a: undefined })
      expectObservable(processesSettled({ withinMs: 40 })).toBe('40ms (a|)', { a: undefined })
    })
  })
})
