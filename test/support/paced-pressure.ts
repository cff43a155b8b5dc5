// A client that takes its frames when its test says so.
import { Subject } from 'rxjs'
import type { Pressure } from '../../lib/server/feed.ts'

export interface PacedClient extends Pressure {
  /** A frame on its way to the client. */
  send(frame: string): void
  /** The client takes so many frames, or all. */
  take(count?: number): void
}

/** @param taken told each frame that the client takes */
export function pacedPressure(taken: (frame: string) => void): PacedClient {
  const waiting: string[] = []
  const drained$ = new Subject<void>()
  return {
    send: (frame) => {
      waiting.push(frame)
    },
    unsent: () => waiting.reduce((sum, frame) => sum + frame.length + 1, 0),
    drained$,
    take: (count = Infinity) => {
      if (waiting.length === 0) return
      for (const frame of waiting.splice(0, count)) taken(frame)
      if (waiting.length === 0) drained$.next()
    },
  }
}
