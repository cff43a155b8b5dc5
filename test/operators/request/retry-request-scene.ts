// Provides requests that fail and are retried, in virtual time.
import { throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RetryOptions } from '../../../lib/operators/ports/run-ports.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FailureData, ProviderFailureKind } from '../../../lib/streams/values/failure.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'

export const done: AssistantDelta = { type: 'done', stopReason: 'stop', usage: noUsage }

export const text: AssistantDelta = { type: 'text_delta', contentIndex: 0, text: 't' }

export const steady: RetryOptions = { jitter: () => 0 }

export function failWith(kind: ProviderFailureKind | undefined, data: FailureData = {}): Observable<never> {
  return throwError(
    () =>
      new Failure('provider_error', `it was ${kind}`, { data: { ...(kind === undefined ? {} : { kind }), ...data } }),
  )
}

export function nameOf(value: AssistantDelta | EventNamed<'auto_retry'>): string {
  return value.type === 'auto_retry' ? `r${value.attempt}@${value.delayMs}` : value.type.slice(0, 1)
}
