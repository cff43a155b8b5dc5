// Promises of decisions about tool calls in a session, and of the questions about them.
import type { Section } from './chapter.ts'

export const policyCalls: Section['cases'] = {
  'POLICY-decision': 'Each call has one `policy_decision` in the log, written before the call runs.',
  'POLICY-denial-text': 'The model reads why a call was denied, and the run goes on.',
  'POLICY-fault': 'A policy that fails or gives no verdict denies.',
  'POLICY-hook': 'A hook can deny or ask; it goes in as one answer and loosens nothing.',
  'POLICY-question': 'A question shows the call, why it asks, its class, the pattern and the diff, if there is one.',
  'POLICY-choices': 'Only choices are offered that the policy heeds.',
  'POLICY-answers': 'Once, session, always and deny do what they say; an invalid answer leaves the question open.',
  'POLICY-matrix':
    'In every mode, with and without a sandbox, under every rule, each answer lets exactly the calls run that it covers.',
  'POLICY-batch': 'Questions of one answer are open together; each is answered alone, or by a pattern that covers it.',
  'POLICY-abort': 'An abort ends open questions as denied, each with its decision.',
  'POLICY-unattended': 'A question waits 30 s for a client that left.',
  'POLICY-fallback': 'A client that shows no `question` gets an approval by `ui_request`.',
}
