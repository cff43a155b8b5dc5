// The pressure of a client that takes everything at once.
import { NEVER } from 'rxjs'
import type { Pressure } from '../../lib/server/feed/feed.ts'

export const unhurried: Pressure = {
  unsent: () => 0,
  drained$: NEVER,
  takesBatches: false,
  flushes: new Set(),
}
