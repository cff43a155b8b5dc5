// Writes to stdout or stderr: escapes control characters, reports back-pressure, never throws.
import type { Writable } from 'node:stream'
import { Observable, ReplaySubject, defer, ignoreElements, race } from 'rxjs'
import { Failure, describeThrown } from '../../lib/streams/values/failure.ts'
import { terminalSafe, terminalSafeJson } from './terminal-safe.ts'

export interface Output {
  readonly isTerminal: boolean
  /** Width of the terminal; undefined if it is none. */
  readonly columns: number | undefined
  /** Writes untrusted text; shows control characters on a terminal. */
  text(text: string): void
  /** Like `text`, dimmed on a terminal. */
  dimmed(text: string): void
  /** Writes one line of JSON, passed without its line feed; escapes control characters for a terminal. */
  json(line: string): void
  /** True while more than 1 MiB waits: the caller should pause until `flushed`. */
  isFull(): boolean
  /** Completes when everything written so far has left this process, or cannot any more. */
  flushed(): Observable<never>
  /** Emits once when writing fails, and completes; replays. `data.errno` is `EPIPE` if the reader is gone. */
  readonly broken$: Observable<Failure>
}

export interface OutputOptions {
  readonly stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Name in failures. */
  readonly name: string
  /** Whether to use colours; never used if the stream is not a terminal. */
  readonly colours: boolean
}

/** In bytes or characters, as the stream counts them. */
const fullAbove = 1_048_576

export function createOutput({ stream, name, colours }: OutputOptions): Output {
  const isTerminal = stream.isTTY === true
  const broken$ = new ReplaySubject<Failure>(1)
  let isBroken = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isBroken) return
    isBroken = true
    broken$.next(
      new Failure('internal', `cannot write to ${name}: ${describeThrown(error)}`, { data: { errno: error.code } }),
    )
    broken$.complete()
  })
  const write = (text: string): void => {
    if (!isBroken && text !== '') stream.write(text)
  }
  const text = (unsafe: string): void => {
    write(isTerminal ? terminalSafe(unsafe) : unsafe)
  }
  const written$ = new Observable<never>((subscriber) => {
    stream.write('', (error) => {
      if (!error) subscriber.complete() // `broken$` reports the error a moment later
    })
  })
  return {
    isTerminal,
    columns: isTerminal ? stream.columns : undefined,
    text,
    dimmed: (unsafe) => {
      if (isTerminal && colours) write(`\u001b[2m${terminalSafe(unsafe)}\u001b[22m`)
      else text(unsafe)
    },
    json: (line) => {
      write(`${isTerminal ? terminalSafeJson(line) : line}\n`)
    },
    isFull: () => stream.writableLength > fullAbove,
    flushed: () => defer(() => race(written$, broken$).pipe(ignoreElements())),
    broken$: broken$.asObservable(),
  }
}
