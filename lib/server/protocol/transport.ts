// A connection is two streams of lines and a way to end it; what carries the lines is nobody else's business.
import type { Observable } from 'rxjs'

/** A line from the other end: its text, or why there is none. */
export type IncomingLine =
  | { readonly text: string }
  /** Longer than the limit (skipped to its end), or bytes that are no UTF-8. */
  | { readonly problem: 'too_large' | 'not_utf8' }

export interface Transport {
  /**
   * Lines without their line feed, blank ones left out, in order and never nested; for one subscriber. What comes before it
   * subscribes waits. Completes when the other end has closed, or this one; fails where the connection breaks.
   */
  readonly lines$: Observable<IncomingLine>
  /** Pieces of lines that have come, counted while `lines$` is subscribed. Absent where lines come whole. */
  heard?(): number
  /** Sends one line, given without its line feed. Holds back nothing by itself: look at `unsent`. Does nothing once closed. */
  send(line: string): void
  /**
   * Sends lines of which many clients are given the same array, at the end of a tick. Absent where a line is delivered when it
   * is sent: nothing is gained by waiting then.
   * @param length their UTF-16 units
   */
  sendAll?(lines: readonly string[], length: number): void
  /** UTF-16 units that were given to `send` and have not been taken yet. */
  unsent(): number
  /** Emits whenever the last of what was unsent has been taken. Hot; completes when the transport has closed. */
  readonly drained$: Observable<void>
  /** Ends both directions, after what was sent. A second call does nothing. */
  close(): void
}
