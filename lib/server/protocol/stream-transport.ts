// Transport over byte streams.
// It counts what the other end has not taken, and disconnects an end that stalls.
import type { Duplex, Readable, Writable } from 'node:stream'
import { Observable, ReplaySubject, Subject, takeUntil } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { lineFramer } from './line-framer.ts'
import { disconnected, lineLimit } from './transport.ts'
import { lineWriter } from './line-writer.ts'
import type { IncomingLine, Transport } from './transport.ts'

export interface StreamTransportOptions {
  /** Bytes of an incoming line without its line feed; a longer one becomes `too_large`. Default 16 MiB. */
  readonly lineBytes?: number
  /**
   * Reads nothing while more UTF-16 units than this are unsent: a client that does not take its answers sends no more
   * requests. For servers: with it at both ends, they could wait for each other. Default: always reads.
   */
  readonly readBelow?: number
  /** Disconnects an end that takes nothing for so many milliseconds. Default 60,000. */
  readonly takesWithinMs?: number
  /** Milliseconds for sending the rest at `close`. Default 5,000. */
  readonly closesWithinMs?: number
}

/** Two streams instead of one: standard input and output. */
export interface StreamPair {
  readonly input: Readable
  readonly output: Writable
  /** Whether other code uses the output too: then it is neither ended nor destroyed. Default: false. */
  readonly keepsOutput?: boolean
}

/**
 * Carries lines over a socket, a pipe, or standard input and output, which it owns from then on. Lines that are sent in
 * one tick become one write. If the streams break, `lines$` fails with `disconnected`. A server's Duplex should be half
 * open: a client that has ended its requests still gets its answers. Reads with the framer, which takes hostile bytes.
 */
export function streamTransport(streams: Duplex | StreamPair, options: StreamTransportOptions = {}): Transport {
  return createStreamTransport(streams, options, lineFramer({ limit: options.lineBytes ?? lineLimit }))
}

/** @param readLines splits the incoming bytes */
export function createStreamTransport(
  streams: Duplex | StreamPair,
  { readBelow = Infinity, takesWithinMs = 60_000, closesWithinMs = 5_000 }: StreamTransportOptions,
  readLines: OperatorFunction<Uint8Array, IncomingLine>,
): Transport {
  const { input, output, keepsOutput = false } = 'input' in streams ? streams : { input: streams, output: streams }
  const over$ = new ReplaySubject<void>(1)
  const drained$ = new Subject<void>()
  const reading = pausable(input)
  let state: 'open' | 'closing' | 'over' = 'open'
  let closing: NodeJS.Timeout | undefined

  const end = (failure?: Failure): void => {
    if (state === 'over') return
    state = 'over'
    writer.stop()
    clearTimeout(closing)
    for (const stream of keepsOutput ? [input] : [input, output]) stream.destroy()
    endSubjects(over$, drained$, failure)
  }
  const writer = lineWriter(output, {
    takesWithinMs,
    onStall: () => end(stallFailure(takesWithinMs)),
    onDrain: () => {
      if (state === 'closing') finish(output, keepsOutput ? end : undefined)
      reading.resume()
      drained$.next()
    },
  })
  watchStreams(input, output, end)
  const whileOpen = (write: () => void): void => {
    if (state === 'open') write()
    if (writer.unsent() > readBelow) reading.pause()
  }

  return {
    lines$: reading.chunks$.pipe(readLines, takeUntil(over$)),
    heard: reading.heard,
    unsent: writer.unsent,
    drained$: drained$.asObservable(),
    send: (line) => whileOpen(() => writer.add(line)),
    sendAll: (lines, length) => whileOpen(() => writer.addAll(lines, length)),
    close: () => {
      if (state !== 'open') return
      state = 'closing'
      closing = setTimeout(end, closesWithinMs)
      over$.next()
      writer.flush()
      if (writer.unsent() === 0) finish(output, keepsOutput ? end : undefined)
    },
  }
}

function endSubjects(over$: Subject<void>, drained$: Subject<void>, failure: Failure | undefined): void {
  if (failure === undefined) over$.next()
  else over$.error(failure)
  drained$.complete()
}

/** Ends the output, which then ends the rest; or ends the rest alone. */
function finish(output: Writable, endRest: (() => void) | undefined): void {
  if (endRest === undefined) output.end()
  else endRest()
}

function stallFailure(ms: number): Failure {
  return new Failure('disconnected', `The other end read nothing of what was sent to it for ${ms} ms`)
}

/** Calls `end` once the streams end or fail. The listeners stay: a destroyed stream can still fail. */
function watchStreams(input: Readable, output: Writable, end: (failure?: Failure) => void): void {
  const onError = (cause: Error): void => {
    end(disconnected(describeThrown(cause), { cause }))
  }
  const onEnd = (): void => {
    end()
  }
  input.on('error', onError)
  output.on('error', onError)
  output.on('finish', onEnd)
  output.on('close', onEnd)
}

/** Emits a stream's chunks to one subscriber; unsubscribing leaves the stream as it is. */
function pausable(input: Readable) {
  let isRead = false
  let isPaused = false
  let heard = 0
  return {
    heard: () => heard,
    chunks$: new Observable<Uint8Array>((subscriber) => {
      const next = (chunk: Uint8Array): void => {
        heard += 1
        subscriber.next(chunk)
      }
      const complete = (): void => {
        subscriber.complete()
      }
      isRead = true
      input.on('data', next).on('end', complete)
      return () => {
        input.off('data', next).off('end', complete)
      }
    }),
    pause: () => {
      isPaused = true
      input.pause()
    },
    resume: () => {
      if (isPaused && isRead) input.resume()
      isPaused = false
    },
  }
}
