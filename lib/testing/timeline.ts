// What a stream does in virtual time, as one line of text that a test can compare: `'1:xy 6:z 13:|'`.
import { isObservable, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'

export interface TimelineOptions<Value> {
  /** What a value is called in the line. Default: `String`. */
  readonly name?: (value: Value) => string
  /** The virtual millisecond at which it is unsubscribed; needed for a stream whose timers never end. Default: never. */
  readonly until?: number
}

/**
 * Subscribes in virtual time, runs until nothing is left to do and gives what came: per millisecond `time:values`, `|` for
 * completion, `#` for an error. Values of one millisecond stand side by side; where a name is longer than one character
 * they are separated by commas.
 *
 * The stream is made inside the virtual time where a function is given: `timeline(({ cold }) => cold('-x|').pipe(…))`. An
 * Observable that was made before serves as well, as long as it asks for the time only when it is subscribed.
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

/** One line from what happened when. */
export function timelineText(marks: ReadonlyMap<number, readonly string[]>): string {
  return [...marks].map(([at, names]) => `${at}:${joined(names)}`).join(' ')
}

function joined(names: readonly string[]): string {
  return names.join(names.every((name) => name.length === 1) ? '' : ',')
}
