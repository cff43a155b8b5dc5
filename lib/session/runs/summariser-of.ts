// Finds the summariser of a session: its own or the model's, with what stands around it.
import { EMPTY, concat, defer } from 'rxjs'
import type { CompactionRequest } from '../../operators/compaction/compact.ts'
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

/** The hook before a compaction is asked once, though a compaction may need two summaries. */
export function gatedSummariser(
  { reason, focus }: Pick<CompactionRequest, 'reason' | 'focus'>,
  options: Pick<SessionOptions, 'summariser' | 'aroundSummary' | 'beforeCompaction'>,
  bySession$: Summariser,
): Summariser {
  const summarise$ = summariserOf(options, bySession$)
  const { beforeCompaction } = options
  if (beforeCompaction === undefined) return summarise$
  let isAllowed = false
  const trigger = reason === 'manual' ? 'manual' : 'auto'
  const gate$ = defer(() =>
    isAllowed ? EMPTY : beforeCompaction({ trigger, ...(focus === undefined ? {} : { focus }) }),
  )
  return (request) =>
    concat(
      gate$,
      defer(() => {
        isAllowed = true
        return summarise$(request)
      }),
    )
}
