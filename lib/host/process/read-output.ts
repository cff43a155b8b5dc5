// Reads both pipes of a child to their end, even without a subscriber.
// The child's last output then cannot block its exit.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { asyncScheduler, Subject } from 'rxjs'
import type { Observable, Subscriber, Subscription } from 'rxjs'
import type { ProcessEvent, ProcessOutput } from './process-event.ts'

/** A child process, or a terminal in its shape. */
export interface ChildWithOutput {
  readonly stdout: Readable
  readonly stderr: Readable
  once(event: 'exit', listener: (exitCode: number | null, signal: NodeJS.Signals | null) => void): unknown
  once(event: 'close', listener: () => void): unknown
}

export interface OutputReader {
  /** One value for each chunk. */
  readonly activity$: Observable<void>
  /** Stops reading and emits the rest of an unfinished character at the end of a pipe. */
  close(): void
}

/** Most output read in one slot: so many bytes in so many milliseconds, about 100 MB/s. Then the writer waits. */
const slotBytes = 2 ** 20
const slotMs = 10

/** Emits each chunk's text while there is a subscriber. */
export function readOutput(child: ChildWithOutput, subscriber: Subscriber<ProcessEvent>): OutputReader {
  const activity$ = new Subject<void>()
  const rate = limitRate([child.stdout, child.stderr])
  const follow = (readable: Readable, stream: ProcessOutput['stream']): (() => void) => {
    const decoder = new StringDecoder('utf8')
    const emit = (text: string): void => {
      if (text !== '') subscriber.next({ type: 'output', stream, text })
    }
    readable.on('data', (chunk: Buffer) => {
      activity$.next()
      rate.count(chunk.length)
      if (!subscriber.closed) emit(decoder.write(chunk))
    })
    readable.on('error', () => readable.destroy()) // an unreadable pipe counts as ended
    return () => {
      readable.destroy()
      emit(decoder.end())
    }
  }
  const ends = [follow(child.stdout, 'stdout'), follow(child.stderr, 'stderr')]
  const close = (): void => {
    rate.stop()
    ends.forEach((end) => end())
  }
  return { activity$, close }
}

/** Pauses all pipes for the rest of a slot whose bytes are used up. */
function limitRate(readables: readonly Readable[]) {
  let slotStart = 0
  let left = slotBytes
  let pause: Subscription | undefined
  const count = (bytes: number): void => {
    const now = performance.now()
    if (now - slotStart >= slotMs) {
      slotStart = now
      left = slotBytes
    }
    left -= bytes
    if (left > 0 || pause !== undefined) return
    readables.forEach((readable) => readable.pause())
    pause = asyncScheduler.schedule(() => {
      pause = undefined
      readables.forEach((readable) => readable.resume())
    }, slotMs)
  }
  return { count, stop: () => pause?.unsubscribe() }
}
