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

// Advice by the code of a failure.

const byKind: Readonly<Record<string, string>> = {
  auth: 'The provider refused the key: /login stores another, /model chooses another model',
  rate_limit: 'The provider asks to wait: send “continue” later, or choose another model with /model',
  overloaded: 'The provider is overloaded: send “continue” later, or choose another model with /model',
  context_overflow:
    'The conversation is longer than the model can take: /tree goes back to where it was shorter, /new begins another',
  network: 'The provider was not reached: check the network or the address, then send “continue”',
  stall: 'The answer stopped coming: send “continue” to ask again',
  early_end: 'The answer broke off: send “continue” to ask again',
}

const byCode: Readonly<Record<string, string>> = {
  storage: 'The session could not be written: free some space; what was shown until here is kept',
  session_locked: 'Another process holds this session; it can be looked at, or left there first',
  read_only: 'This session can be looked at, not gone on with; /new begins another',
}

export function hintFor(failure: FailureShape | undefined): { readonly hint?: string } {
  if (failure === undefined) return {}
  const kind = failure.data?.['kind']
  const hint = (typeof kind === 'string' ? byKind[kind] : undefined) ?? byCode[failure.code]
  return hint === undefined ? {} : { hint }
}
