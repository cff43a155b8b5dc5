// Ends a provider's stream at its `done`; an end without one is a failure.
import { map, pipe, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { concatSteps } from '../core/loop-while.ts'
import { idleLimit } from '../core/time-limits.ts'
import type { IdleTimes } from '../core/time-limits.ts'
import { takeThrough } from '../core/take-through.ts'
import { notADelta } from '../../streams/messages/delta.ts'

const noLimit: IdleTimes = { first: 0, each: 0 }

/**
 * Passes deltas on up to and with `done`, unsubscribes and completes there; it ignores later values. A completion
 * without `done` becomes Failure `provider_error`, kind `early_end`; a value that is not a delta one of kind `network`.
 * Buffers nothing.
 *
 * With `idle` it fails as `idleLimit` does. Only a delta of a block counts: `start` and `usage` show that the provider
 * is there, not that the model writes (docs/loop.md#26).
 * @throws Failure `bad_request` for an idle limit above 2³¹−1
 */
export function untilDone(idle: IdleTimes = noLimit): MonoTypeOperatorFunction<AssistantDelta> {
  return pipe(
    map(requireDelta),
    idleLimit<AssistantDelta>({ ...idle, counts: isOfBlock }),
    failAtEnd(),
    takeThrough(({ type }) => type === 'done'),
  )
}

/** Makes the completion of the source a failure: `takeThrough` has unsubscribed a source that sent `done`. */
function failAtEnd(): MonoTypeOperatorFunction<AssistantDelta> {
  return (source$) =>
    concatSteps<AssistantDelta>(
      () => source$,
      () => throwError(() => earlyEndFailure()),
    )
}

const otherTypes = new Set<unknown>(['start', 'usage', 'warning', 'done'])

/** A provider may be untyped: a value that has neither a block nor a known type is not a delta. */
function requireDelta(delta: AssistantDelta): AssistantDelta {
  if (isOfBlock(delta) || otherTypes.has(typeOf(delta))) return delta
  throw notADelta(delta)
}

function isOfBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'contentIndex' in value
}

function typeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
}

/** The failure of an answer that completed without `done`. */
export function earlyEndFailure(): Failure {
  const message = "The provider's answer ended before it was complete; it may be tried again"
  return new Failure('provider_error', message, { data: { kind: 'early_end' } })
}
