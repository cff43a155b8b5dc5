// Port that hides secrets in the output of tools.
import { countOf } from '../values/count-of.ts'

/** Redacts one stream of text that comes in pieces. A secret that is split across pieces is found too. */
export interface TextRedactor {
  /**
   * Returns the text that can be shown now; text that may be the beginning of a secret is held back, in bounded length.
   */
  push(piece: string): string
  /** Returns the text that was held back, redacted. The next piece begins a new text. */
  end(): string
}

/** The redaction of one call: it counts what it hides. */
export interface Redaction {
  /** Secrets hidden so far, in finished texts and in streams; not those of `preview`. */
  readonly count: number
  /** For a stream that is the call's output, such as a pipe. */
  stream(): TextRedactor
  /** For a stream whose text comes again in the result; its secrets do not count. */
  preview(): TextRedactor
  /** A complete text. */
  text(text: string): string
  /** Every string of a JSON value, keys included. Returns the value itself if it has no secret. */
  json(value: unknown): unknown
}

/** The secrets of one session. */
export interface Secrets {
  /** The redaction of one call, or of one command of a person. */
  begin(): Redaction
}

/** The note about hidden secrets in a result; undefined for none. */
export function redactionNotice(count: number): string | undefined {
  if (count === 0) return undefined
  return `[${countOf(count, 'secret')} ${count === 1 ? 'was' : 'were'} redacted.]`
}
