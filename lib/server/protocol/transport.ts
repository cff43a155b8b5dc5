// The port that carries a connection's lines: a socket, standard input and output, or a linked pair.
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { FailureData } from '../../streams/values/failure.ts'

/**
 * UTF-8 bytes of one line of a client, without its line feed. `hello` announces it; the framer and the linked pair
 * enforce it.
 */
export const lineLimit = 16 * 1024 * 1024

/** A line from the other end: its text, or why it cannot be read. */
export type IncomingLine =
  | { readonly text: string }
  /** Longer than the limit (skipped to its end), or not UTF-8. */
  | { readonly problem: 'too_large' | 'not_utf8' }

/** A connection that carries lines in both directions. */
export interface Transport {
  /**
   * Lines without their line feed, blank ones left out, in order and never nested; for one subscriber. Lines that come
   * before it subscribes wait. Completes when either end has closed; fails if the connection breaks.
   */
  readonly lines$: Observable<IncomingLine>
  /** Counts the chunks that have come while `lines$` is subscribed. Absent if lines come whole. */
  heard?(): number
  /**
   * Sends one line, passed without its line feed. Never blocks: the caller checks `unsent`. Does nothing once closed.
   */
  send(line: string): void
  /**
   * Sends the lines of a tick; many clients get the same array. Absent if a line is delivered when it is sent: a batch
   * would gain nothing.
   * @param length their UTF-16 units
   */
  sendAll?(lines: readonly string[], length: number): void
  /** UTF-16 units that were passed to `send` and not taken yet. */
  unsent(): number
  /** Emits when the last unsent unit has been taken. Hot; completes when the transport has closed. */
  readonly drained$: Observable<void>
  /** Ends both directions, after what was sent. A second call does nothing. */
  close(): void
}

/** Lines that are sent together. Many clients share one batch, so no code changes it. */
export interface LineBatch {
  readonly lines: readonly string[]
  /** UTF-16 units of the lines. */
  readonly length: number
  /** Whether the transport writes the lines at once; if not, they wait for the other lines of this tick. */
  readonly endsTick: boolean
}

/** A batch of one line, which waits for the other lines of this tick. */
export function lineBatch(line: string): LineBatch {
  return { lines: [line], length: line.length, endsTick: false }
}

export function sendLines(transport: Transport, { lines, length, endsTick }: LineBatch): void {
  if (transport.sendAll !== undefined && (endsTick || lines.length > 1)) transport.sendAll(lines, length)
  else for (const line of lines) transport.send(line)
}

/** Whether the text has more than `limit` UTF-8 bytes; counts them only if it could. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}

/** Whether a line has nothing but JSON's white space; such lines are left out. */
export function isBlank(line: string): boolean {
  return !notBlank.test(line)
}

const notBlank = /[^ \t\r]/

/** The end of a connection that broke. */
export function disconnected(
  reason: string,
  options: { readonly cause?: unknown; readonly data?: FailureData } = {},
): Failure {
  return new Failure('disconnected', `The connection broke: ${reason}`, options)
}
