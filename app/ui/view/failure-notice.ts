// Converts a failure into a notice with advice, if there is any.
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ViewInput } from './view-input.ts'
import type { FailureShape } from '../../../lib/streams/events/event.ts'

/** @param hint advice that is better than that of the failure's code */
export function failureNotice(error: unknown, hint?: string): Extract<ViewInput, { readonly type: 'notice' }> {
  const failure = Failure.from(error)
  const advice = hint === undefined ? hintFor(failure) : { hint }
  return { type: 'notice', level: 'error', text: failure.message, ...advice }
}

/** Advice by the kind of a provider's failure. */
const byKind: Readonly<Record<string, string>> = {
  auth: 'The provider refused the key: /login stores another, /model chooses another model',
  rate_limit: 'The provider limits requests: send “continue” later, or choose another model with /model',
  overloaded: 'The provider is overloaded: send “continue” later, or choose another model with /model',
  context_overflow:
    'The conversation exceeds the context window: /tree goes back to a shorter one, /new starts another',
  network: 'The provider could not be reached: check the network or the address, then send “continue”',
  stall: 'The answer stalled: send “continue” to retry',
  early_end: 'The answer broke off: send “continue” to retry',
}

const byCode: Readonly<Record<string, string>> = {
  storage: 'The session could not be written: free some disk space; everything shown so far is stored',
  session_locked: 'Another process holds this session: read it here, or close it there first',
  read_only: 'This session is read-only; /new starts another',
}

/** Another program removed or changed the log: `data.change` of the failure. */
const lostLog = 'Nothing more of this session is stored: /new starts another'
const noCreditHint = 'Add credit at the provider, or choose another model with /model'

export function hintFor(failure: FailureShape | undefined): { readonly hint?: string } {
  if (failure === undefined) return {}
  const { kind, change, noCredit } = failure.data ?? {}
  if (change !== undefined) return { hint: lostLog }
  if (noCredit === true) return { hint: noCreditHint }
  const hint = (typeof kind === 'string' ? byKind[kind] : undefined) ?? byCode[failure.code]
  return hint === undefined ? {} : { hint }
}
