// A session that was opened at its end reads the rest in short slices, while it is already at work.
import { Observable } from 'rxjs'
import type { EarlierEntries } from './earlier-entries.ts'

/** Milliseconds of one slice, and between two: nobody waits longer for the process, and half of it is left to others. */
const sliceMs = 3
const pauseMs = 3
/** What was opened is asked something first. */
const firstPauseMs = 30

/** Completes when everything was read, up to damage where there is any. Cold; keeps no process alive. */
export function verifyEarlier(earlier: EarlierEntries): Observable<never> {
  return new Observable((subscriber) => {
    let timer = later(firstPauseMs)
    function work(): void {
      earlier.workUntil(performance.now() + sliceMs)
      if (earlier.isComplete) subscriber.complete()
      else timer = later(pauseMs)
    }
    function later(milliseconds: number): NodeJS.Timeout {
      return setTimeout(work, milliseconds).unref()
    }
    return () => {
      clearTimeout(timer)
    }
  })
}
