// What may be done once is begun by whoever asks first, and all are told how it ended, whenever they ask.
import { ReplaySubject, share } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'

/**
 * The source is subscribed with the first subscription and never again, and runs on when its subscribers go. Replays the last
 * value and the end, a failure too. Buffers that one value.
 */
export function shareOnce<Value>(): MonoTypeOperatorFunction<Value> {
  return share({
    connector: () => new ReplaySubject(1),
    resetOnComplete: false,
    resetOnError: false,
    resetOnRefCountZero: false,
  })
}
