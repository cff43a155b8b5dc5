// A client that takes its frames when its test says so.
import { Subject } from 'rxjs'
import type { Pressure } from '../../lib/server/feed/feed.ts'

export interface PacedClient extends Pressure {
  /** A frame on its way to the client. */
  send(frame: string): void
  /** The client takes so many frames, or all. */
  take(count?: number): void
}

export interface PacedOptions {
  /** Told each frame that the client takes. */
  taken(frame: string): void
  /** Whether it is sent a tick's lines together. Default false. */
  readonly together?: boolean
}

export function pacedPressure({ taken, together = false }: PacedOptions): PacedClient {
  const waiting: string[] = []
  const drained$ = new Subject<void>()
  return {
    send: (frame) => {
      waiting.push(frame)
    },
    unsent: () => waiting.reduce((sum, frame) => sum + frame.length + 1, 0),
    drained$,
    first: new Set(),
    ...(together ? { sendAll: (lines: readonly string[]): void => void waiting.push(...lines) } : {}),
    take: (count = Infinity) => {
      if (waiting.length === 0) return
      for (const frame of waiting.splice(0, count)) taken(frame)
      if (waiting.length === 0) drained$.next()
    },
  }
}
