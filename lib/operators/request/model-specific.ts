// Tells failures that another model may not have from those of the request.
import type { Failure, ProviderFailureKind } from '../../streams/values/failure.ts'

const kinds = new Set<unknown>([
  'rate_limit',
  'overloaded',
  'network',
  'stall',
  'early_end',
  'auth',
] satisfies ProviderFailureKind[])

/** Whether a fallback may answer: not for a bad request, an overflow or a refusal. */
export function isModelSpecific({ data }: Failure): boolean {
  return kinds.has(data.kind)
}
