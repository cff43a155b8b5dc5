// Shares one subscription to a source; later subscribers never subscribe to it again.
// The first subscriber starts the source; all subscribers get its last value and end.
import { ReplaySubject, share } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'

/**
 * Subscribes the source with the first subscription and never again; the source runs on if its subscribers leave.
 * Replays the last value and the end, also a failure. Buffers that one value.
 */
export function shareOnce<Value>(): MonoTypeOperatorFunction<Value> {
  return share({
    connector: () => new ReplaySubject(1),
    resetOnComplete: false,
    resetOnError: false,
    resetOnRefCountZero: false,
  })
}
