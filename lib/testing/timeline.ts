// Formats a stream in virtual time as one line that a test can compare: `'1:xy 6:z 13:|'`.
import { isObservable, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'

export interface TimelineOptions<Value> {
  /** Names a value in the line. Default: `String`. */
  readonly name?: (value: Value) => string
  /**
   * The virtual millisecond at which it is unsubscribed; needed for a stream whose timers never end. Default: never.
   */
  readonly until?: number
}

/**
 * Subscribes in virtual time, runs until nothing is left to do and returns the line: per millisecond `time:values`, `|`
 * for completion, `#` for an error. Values of one millisecond stand side by side, separated by commas if a name is
 * longer than one character.
 *
 * A function creates the stream inside the virtual time: `timeline(({ cold }) => cold('-x|').pipe(…))`. An Observable
 * that was created before works too, if it reads the time only on subscription.
 */
export function timeline<Value>(
  source: Observable<Value> | ((helpers: RunHelpers) => Observable<Value>),
  { name = String, until }: TimelineOptions<Value> = {},
): string {
  const marks = new Map<number, string[]>()
  const scheduler = new TestScheduler(() => undefined)
  const note = (mark: string): void => {
    const now = scheduler.now()
    marks.set(now, [...(marks.get(now) ?? []), mark])
  }
  scheduler.run((helpers) => {
    const source$ = isObservable(source) ? source : source(helpers)
    const subscription = source$.subscribe({
      next: (value) => {
        note(name(value))
      },
      error: () => {
        note('#')
      },
      complete: () => {
        note('|')
      },
    })
    if (until !== undefined)
      timer(until).subscribe(() => {
        subscription.unsubscribe()
      })
  })
  return timelineText(marks)
}

/** Formats marks by time as one line. */
export function timelineText(marks: ReadonlyMap<number, readonly string[]>): string {
  return [...marks].map(([at, names]) => `${at}:${joined(names)}`).join(' ')
}

function joined(names: readonly string[]): string {
  return names.join(names.every((name) => name.length === 1) ? '' : ',')
}
