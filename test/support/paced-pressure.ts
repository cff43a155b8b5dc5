// A client that takes its lines at the pace of its test.
import { Subject } from 'rxjs'
import type { Pressure } from '../../lib/server/feed/feed.ts'
import type { LineBatch } from '../../lib/server/protocol/transport.ts'

export interface PacedClient extends Pressure {
  /** Lines on their way to the client. */
  send(batch: LineBatch): void
  /** Takes that many lines, or all. */
  take(count?: number): void
}

export interface PacedOptions {
  /** Called with each line that the client takes. */
  taken(frame: string): void
  /** Whether lines are sent in batches. Default false. */
  readonly together?: boolean
}

export function pacedPressure({ taken, together = false }: PacedOptions): PacedClient {
  const waiting: string[] = []
  const drained$ = new Subject<void>()
  return {
    send: ({ lines }) => {
      waiting.push(...lines)
    },
    unsent: () => waiting.reduce((sum, frame) => sum + frame.length + 1, 0),
    drained$,
    takesBatches: together,
    flushes: new Set(),
    take: (count = Infinity) => {
      if (waiting.length === 0) return
      for (const frame of waiting.splice(0, count)) taken(frame)
      if (waiting.length === 0) drained$.next()
    },
  }
}
