// One way out: safe for terminals, told when its reader is slow or gone, and never a throw.
import type { Writable } from 'node:stream'
import { Observable, ReplaySubject, defer, ignoreElements, race } from 'rxjs'
import { Failure } from '../../lib/streams/values/failure.ts'
import { terminalSafe, terminalSafeJson } from './terminal-safe.ts'

export interface Output {
  readonly isTerminal: boolean
  /** Of the terminal; undefined where there is none. */
  readonly columns: number | undefined
  /** Anybody's text; on a terminal its control characters are made visible. */
  text(text: string): void
  /** The same, dimmed where that is wanted. */
  dimmed(text: string): void
  /** One line of JSON, unsafe without its line feed; on a terminal what would act on it is escaped. */
  json(line: string): void
  /** More than 1 MiB waits for the reader: better write no more until `flushed`. */
  isFull(): boolean
  /** Completes when everything written before has left this process, or cannot any more. */
  flushed(): Observable<never>
  /** Emits once when the stream can be written no more, and completes; replays. `data.errno` `EPIPE`: its reader has gone. */
  readonly broken$: Observable<Failure>
}

export interface OutputOptions {
  readonly stream: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** How a failure calls it. */
  readonly name: string
  /** Whether our own colours may be used; never on what is no terminal. */
  readonly colours: boolean
}

/** Bytes or characters, as the stream counts. */
const enough = 1_048_576

export function createOutput({ stream, name, colours }: OutputOptions): Output {
  const isTerminal = stream.isTTY === true
  const broken$ = new ReplaySubject<Failure>(1)
  let isBroken = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (isBroken) return
    isBroken = true
    broken$.next(new Failure('internal', `cannot write to ${name}: ${error.message}`, { data: { errno: error.code } }))
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
      if (!error) subscriber.complete() // an error is told by `broken$`, a moment later
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
    isFull: () => stream.writableLength > enough,
    flushed: () => defer(() => race(written$, broken$).pipe(ignoreElements())),
    broken$: broken$.asObservable(),
  }
}
