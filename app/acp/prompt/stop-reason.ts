// Converts the end of a run into the stop reason of ACP, or into the error that answers the prompt.
import type { StopReason } from '@agentclientprotocol/sdk'
import type { RunEnd } from '../../commands/print/run-ends.ts'
import { describeRunEnd } from '../../text/run-end-reason.ts'
import { requestErrorOfShape } from '../wire/acp-error.ts'

/** @throws RequestError of a run that failed: its failure, or `internal` with the reason */
export function stopReasonOf({ end, isCut }: Pick<RunEnd, 'end' | 'isCut'>): StopReason {
  const { terminationReason, stopRule, error } = end
  switch (terminationReason) {
    case 'completed':
    case 'terminated':
      return isCut ? 'max_tokens' : 'end_turn'
    case 'stopped':
      return stopRule === 'calledTool' ? 'end_turn' : 'max_turn_requests'
    case 'budget_exceeded':
      return 'max_turn_requests'
    case 'aborted':
      return 'cancelled'
    default:
      if (error?.data?.['kind'] === 'refused') return 'refusal'
      throw requestErrorOfShape(
        error ?? { code: 'internal', message: describeRunEnd(end) ?? 'The run failed', data: { terminationReason } },
      )
  }
}
