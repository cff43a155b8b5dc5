// A session that another process holds can be looked at here; whoever wants to change it must ask its holder.
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FailureShape } from '../../../lib/streams/events/event.ts'

/** The opened session itself. @throws Failure `session_locked`, with who holds it, where it was opened for reading for that reason */
export function writable<Opened extends { readonly readOnly?: FailureShape }>(opened: Opened): Opened {
  const { readOnly } = opened
  if (readOnly?.code !== 'session_locked') return opened
  throw new Failure('session_locked', readOnly.message, { data: readOnly.data ?? {} })
}
