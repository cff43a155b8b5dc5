// Emits a readable stream's chunks; unsubscribing destroys the stream.
import { Observable } from 'rxjs'

/** The part of Node's Readable that is used, so that this room needs no Node module. */
export interface ReadableSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  off(event: 'end' | 'close', listener: () => void): unknown
  destroy(): unknown
}

/**
 * Emits each chunk, synchronously with its `data` event and without a buffer of its own, completes at `end` (or
 * `close`) and fails at `error`. For one subscriber: the stream is consumed. Unsubscribing destroys the stream.
 */
export function fromReadable(readable: ReadableSource): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const next = (chunk: Uint8Array): void => {
      subscriber.next(chunk)
    }
    const fail = (error: Error): void => {
      subscriber.error(error)
    }
    const complete = (): void => {
      subscriber.complete()
    }
    readable.on('error', fail)
    readable.on('end', complete)
    readable.on('close', complete)
    readable.on('data', next)
    return () => {
      readable.off('data', next)
      readable.off('end', complete)
      readable.off('close', complete)
      // the error listener stays: destroying may still fail, and an error without listener would crash the process
      readable.destroy()
    }
  })
}
