// Finds the summariser of a session: its own or the model's, with what stands around it.
import { defer } from 'rxjs'
import type { Summariser } from '../../streams/ports/agent-context.ts'
import type { SessionOptions } from '../contract/session-parts.ts'

export function summariserOf(
  { summariser, aroundSummary }: Pick<SessionOptions, 'summariser' | 'aroundSummary'>,
  byModel: Summariser,
): Summariser {
  const own$ = summariser ?? byModel
  return aroundSummary === undefined
    ? own$
    : (request) =>
        aroundSummary(
          defer(() => own$(request)),
          request,
        )
}
