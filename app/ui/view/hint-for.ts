// What a person can do about a failure, by its code; nothing is said where nothing is known.
import type { FailureShape } from '../../../lib/streams/events/event.ts'

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
