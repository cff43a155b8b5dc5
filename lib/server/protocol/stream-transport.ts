// Transport over byte streams.
import type { Duplex, Readable, Writable } from 'node:stream'
import { Observable, takeUntil } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { lineFramer } from './line-framer.ts'
import { lineSender } from './line-sender.ts'
import type { SenderLimits } from './line-sender.ts'
import { disconnected, lineLimit } from './transport.ts'
import type { IncomingLine, Transport } from './transport.ts'

export interface StreamTransportOptions extends SenderLimits {
  /** Bytes of an incoming line without its line feed; a longer one becomes `too_large`. Default 16 MiB. */
  readonly lineBytes?: number
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
  limits: SenderLimits,
  readLines: OperatorFunction<Uint8Array, IncomingLine>,
): Transport {
  const { input, output, keepsOutput = false } = 'input' in streams ? streams : { input: streams, output: streams }
  const { chunks$, heard, pause, resume } = pausable(input)
  const { sending, over$, end } = lineSender(output, {
    ...limits,
    pause,
    resume,
    finish: () => {
      if (keepsOutput) end()
      else output.end() // which then ends the rest
    },
    release: () => {
      for (const stream of keepsOutput ? [input] : [input, output]) stream.destroy()
    },
  })
  watchStreams(input, output, end)
  return { ...sending, lines$: chunks$.pipe(readLines, takeUntil(over$)), heard }
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
