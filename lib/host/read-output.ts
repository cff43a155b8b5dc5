// Both pipes of a child are read to their end whether or not anybody listens, so that a program that tidies up is not ended by its own output.
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { Subject } from 'rxjs'
import type { Observable, Subscriber } from 'rxjs'
import type { ProcessEvent, ProcessOutput } from './process-event.ts'

export type ChildWithOutput = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable }

export interface OutputReader {
  /** One value for each chunk. */
  readonly activity$: Observable<void>
  /** Stops reading and emits what an unfinished character at the end of a pipe amounts to. */
  close(): void
}

/** Hands each chunk's text to the subscriber as it comes, as long as there is one. */
export function readOutput(child: ChildWithOutput, subscriber: Subscriber<ProcessEvent>): OutputReader {
  const activity$ = new Subject<void>()
  const follow = (readable: Readable, stream: ProcessOutput['stream']): (() => void) => {
    const decoder = new StringDecoder('utf8')
    const emit = (text: string): void => {
      if (text !== '') subscriber.next({ type: 'output', stream, text })
    }
    readable.on('data', (chunk: Buffer) => {
      activity$.next()
      if (!subscriber.closed) emit(decoder.write(chunk))
    })
    readable.on('error', () => readable.destroy()) // a pipe that cannot be read is one that has ended
    return () => {
      readable.destroy()
      emit(decoder.end())
    }
  }
  const ends = [follow(child.stdout, 'stdout'), follow(child.stderr, 'stderr')]
  return { activity$, close: () => ends.forEach((end) => end()) }
}
