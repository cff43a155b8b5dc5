// Calls the handlers of a module of pi before a person goes to another session, or to another entry.
import { Failure } from '../../../streams/values/failure.ts'
import type { LeaveAnswer, LeaveStep } from '../../../streams/ports/hooks.ts'
import type { PiRuntime } from '../contract/pi-runtime.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { emitEvent, hasHandlers } from './emit-event.ts'
import { branchEntries } from './own-entries.ts'

/** Handlers have 30 s, which stand still while a question of theirs is open. */
export function listenToLeaving(runtime: PiRuntime): void {
  const { hooks } = runtime.api
  hooks.on('before_switch', ({ to }) =>
    mayCancel(runtime, 'session_before_switch', { reason: to === 'new' ? 'new' : 'resume' }),
  )
  hooks.on('before_branch', (step) => beforeBranch(runtime, step))
}

function beforeBranch(
  runtime: PiRuntime,
  step: Extract<LeaveStep, { type: 'branch' }>,
): Promise<LeaveAnswer | undefined> {
  const { entryId } = step
  if (!step.copy) return beforeTree(runtime, step)
  const target = entryId === null ? { entryId: '', position: 'before' } : { entryId, position: 'at' }
  return mayCancel(runtime, 'session_before_fork', target)
}

async function beforeTree(
  runtime: PiRuntime,
  { entryId = lastPrompt(runtime), summarise }: Extract<LeaveStep, { type: 'branch' }>,
): Promise<LeaveAnswer | undefined> {
  if (!hasHandlers(runtime, 'session_before_tree')) return undefined
  const here = branchEntries(runtime)
  const there = new Set(entryId === null ? [] : branchEntries(runtime, entryId).map(({ id }) => id))
  const preparation = {
    targetId: entryId,
    oldLeafId: here.at(-1)?.['id'] ?? null,
    commonAncestorId: here.findLast(({ id }) => there.has(id))?.['id'] ?? null,
    entriesToSummarize: here.filter(({ id }) => !there.has(id)),
    userWantsSummary: summarise,
  }
  runtime.branchSummary = undefined
  const event = { preparation, signal: new AbortController().signal }
  return mayCancel(runtime, 'session_before_tree', event, ({ summary, customInstructions, label }) => {
    if (customInstructions !== undefined || label !== undefined)
      runtime.limits.report('instructions and labels of session_before_tree', 'the branch is summarised as always')
    const { summary: text } = (summary ?? {}) as { readonly summary?: unknown }
    if (summarise && typeof text === 'string') runtime.branchSummary = text
  })
}

/** The entry that `undo` goes back to: the one before the last prompt. */
function lastPrompt(runtime: PiRuntime): string | null {
  const prompt = branchEntries(runtime).findLast(
    ({ message }) => (message as PiRecord | undefined)?.['role'] === 'user',
  )
  return typeof prompt?.['parentId'] === 'string' ? prompt['parentId'] : null
}

/** The first handler that cancels ends the row. */
async function mayCancel(
  runtime: PiRuntime,
  type: string,
  event: PiRecord,
  take: (answer: PiRecord) => void = () => undefined,
): Promise<LeaveAnswer | undefined> {
  let answer: LeaveAnswer | undefined
  await emitEvent(
    runtime,
    type,
    () => event,
    (own) => {
      take(own)
      if (own['cancel'] === true) answer = { cancel: { reason: `the extension ${runtime.path} cancelled it` } }
      return answer !== undefined
    },
  )
  return answer
}

/** The summary that a handler of `session_before_tree` gave for the branch that is left, once. */
export function ownBranchSummary(runtime: PiRuntime): { readonly summary: string } | undefined {
  const summary = runtime.branchSummary
  runtime.branchSummary = undefined
  if (summary === undefined) return undefined
  if (summary.trim() === '') throw new Failure('bad_request', 'The summary of session_before_tree is empty')
  return { summary }
}
