// Lets modules of pi change requests to providers, and take the place of a summary.
import type { SummaryRequest } from '../../../streams/ports/agent-context.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import { emitEvent, hasHandlers } from './emit-event.ts'
import { ownBranchSummary } from './leave-session.ts'
import { branchEntries, piMessage } from './own-entries.ts'

export async function changeCompaction(
  runtime: PiRuntime,
  { messages, previous, focus, reason, part }: SummaryRequest,
): Promise<{ summary?: string; cancel?: { reason: string } } | undefined> {
  if (reason === 'branch') return ownBranchSummary(runtime)
  if (part === 'turn' || !hasHandlers(runtime, 'session_before_compact')) return undefined
  const branch = branchEntries(runtime)
  const preparation = {
    messagesToSummarize: messages.map(piMessage),
    turnPrefixMessages: [],
    tokensBefore: 0,
    firstKeptEntryId: branch.at(-1)?.['id'],
    previousSummary: previous,
  }
  const event = {
    preparation,
    branchEntries: branch,
    reason: 'manual',
    willRetry: false,
    signal: new AbortController().signal,
    ...(focus !== undefined && { customInstructions: focus }),
  }
  let answer: { summary?: string; cancel?: { reason: string } } | undefined
  await emitEvent(
    runtime,
    'session_before_compact',
    () => event,
    ({ cancel, compaction }) => {
      if (cancel === true) answer = { cancel: { reason: 'An extension has cancelled the compaction' } }
      const { summary } = (compaction ?? {}) as { summary?: string }
      if (summary !== undefined) answer = { summary }
      return cancel === true
    },
  )
  return answer
}

export async function changeRequest(
  runtime: PiRuntime,
  request: { readonly payload: unknown; readonly headers: Readonly<Record<string, string>> },
): Promise<{ payload?: unknown; headers?: Record<string, string | null> }> {
  let { payload } = request
  const headers: Record<string, string | null> = { ...request.headers }
  for (const handler of runtime.handlers.get('before_provider_request') ?? []) {
    const answer = await handler({ type: 'before_provider_request', payload }, runtime.context)
    if (answer !== undefined) payload = answer
  }
  await emitEvent(runtime, 'before_provider_headers', () => ({ headers }))
  return { payload, headers }
}
