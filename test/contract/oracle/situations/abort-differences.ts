// The differences of aborted runs that many situations share.
import type { Difference } from '../difference.ts'

/** pi makes one more request, in a separate turn, and keeps its aborted answer. */
export function piRequestsOnceMore(request: string): Difference[] {
  return [
    {
      part: 'events',
      pi: ['TS', 'ask', 'ms(asst)', 'me(asst aborted)', 'TE(aborted)'],
      ours: [],
      because: 'noRequestAfterAbort',
    },
    { part: 'requests', pi: [request], ours: [], because: 'noRequestAfterAbort' },
    { part: 'transcript', pi: ['asst aborted'], ours: [], because: 'noRequestAfterAbort' },
  ]
}

/** The turn has begun: pi makes its request and keeps its aborted answer, ours ends the turn. */
export function piRequestsAfterAbort(request: string): Difference[] {
  return [
    {
      part: 'events',
      pi: ['ask', 'ms(asst)', 'me(asst aborted)', 'TE(aborted)'],
      ours: ['TE()'],
      because: 'noRequestAfterAbort',
    },
    { part: 'transcript', pi: ['asst aborted'], ours: [], because: 'noRequestAfterAbort' },
    { part: 'requests', pi: [request], ours: [], because: 'noRequestAfterAbort' },
  ]
}

/** The request was made without any data yet: pi emits an empty aborted message, ours none. */
export const endsWithoutMessage: readonly Difference[] = [
  {
    part: 'events',
    pi: ['ms(asst)', 'me(asst aborted)', 'TE(aborted)'],
    ours: ['TE()'],
    because: 'noMessageBeforeTheFirstDelta',
  },
  { part: 'transcript', pi: ['asst aborted'], ours: [], because: 'noMessageBeforeTheFirstDelta' },
]

/** A running tool: pi has its real result, ours its aborted result — and pi makes one more request. */
export function endsTheTool(pi: string, request: string): Difference[] {
  return [
    { part: 'events', pi: [`xe(c1 ${pi})`], ours: ['xe(c1 error <aborted>)'], because: 'abortedAtOnce' },
    {
      part: 'events',
      pi: [`me(result c1 ${pi})`],
      ours: ['me(result c1 error <aborted>)'],
      because: 'abortedAtOnce',
    },
    ...piRequestsOnceMore(request).filter(({ part }) => part !== 'transcript'),
    {
      part: 'transcript',
      pi: [`result c1 ${pi}`, 'asst aborted'],
      ours: ['result c1 error <aborted>'],
      because: 'abortedAtOnce',
    },
  ]
}
