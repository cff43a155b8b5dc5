// An answer that stops before its terminal event failed, however much of it came.
import { Failure } from '../../streams/values/failure.ts'

/** Kind `early_end`: the same request may succeed. */
export function earlyEnd(provider: string): Failure {
  return new Failure('provider_error', `${provider}'s answer ended before it was complete.`, {
    data: { kind: 'early_end' },
  })
}
