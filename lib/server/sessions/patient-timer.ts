// Waiting that nobody depends on: a process that has nothing else to do ends over it.
import { Observable } from 'rxjs'

/** Emits once after so many milliseconds (below 2³¹) and completes; does not keep the process alive. */
export function patientTimer(ms: number): Observable<void> {
  return new Observable((subscriber) => {
    const timer = setTimeout(() => {
      subscriber.next()
      subscriber.complete()
    }, ms)
    timer.unref()
    return () => {
      clearTimeout(timer)
    }
  })
}
