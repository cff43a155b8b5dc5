// Publishes a live status when a compaction has failed or was cancelled: clients have seen it begin.
import { tap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'

/** Passes everything through. A client that did not ask has no response that would end its progress. */
export function announceCompactionEnd({ publish }: Pick<Pipeline, 'publish'>): MonoTypeOperatorFunction<object> {
  return tap({
    error: (error: unknown) => {
      const { code, message } = Failure.from(error)
      const event = { type: 'status', code: 'compaction_ended', message, context: { code }, recoverable: true } as const
      publish({ event })
    },
  })
}
