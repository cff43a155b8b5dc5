// Leaves a branch with a summary of it; the head moves after the summary is written.
import { EMPTY, asyncScheduler, concatMap, defer, filter, finalize, map, of, take, tap, throwIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'
import { createConversation } from '../../operators/run/conversation.ts'
import { contextMessages, summaryMessage } from '../../streams/state/context-messages.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { path } from '../../streams/state/fold-session.ts'
import { requireEntry } from '../../streams/state/require-entry.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { Message, Usage } from '../../streams/messages/message.ts'
import { tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { checkModel } from './require-model.ts'
import { moveHead } from './change-session.ts'
import { busyFailure, untilSettled } from './validate-input.ts'
import type { CommandContext, CommandEffect } from './change-session.ts'
import { isSummary } from '../../streams/ports/agent-context.ts'
import type { Summariser } from '../../streams/ports/agent-context.ts'
import { sessionSummariser, summariserOf, summaryModel } from '../runs/summariser-of.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { SessionCommand } from '../contract/session.ts'

/** Of the role `summary`, else of the session's model. */
function branchSummariser({ parts, settings }: SessionCore, publish: (event: AgentEvent) => void): Summariser {
  const { roles } = parts
  if (roles === undefined) return sessionSummariser(parts, settings.current)
  return (request) =>
    summaryModel(roles, settings.current).pipe(
      concatMap((found) => {
        if (!('type' in found)) return sessionSummariser(parts, () => found.model ?? settings.current())(request)
        publish(found)
        return EMPTY
      }),
    )
}

type Branch = Extract<SessionCommand, { type: 'branch_session' }>

/**
 * Summarises the entries that a move of the head leaves, then moves the head after the summary. No summary if it leaves
 * none. Calls `now` again when the summary is there. Fails with `busy` if the session has changed meanwhile. At the end, also of a
 * failure, `publish` gets what the summary used.
 */
export function summariseBranch(
  command: Branch,
  now: () => CommandContext,
  publish: (event: AgentEvent) => void,
): Observable<CommandEffect> {
  checkAlone(command)
  const { entryId } = command
  const before = now()
  const { core, state, isRunning } = before
  if (isRunning) throw busyFailure(untilSettled)
  const messages = messagesLeft(state, entryId)
  const from = state.headEntryId
  if (messages.length === 0 || from === null) return of(moveHead(entryId, before))
  const { options } = core.parts
  if (options.summariser === undefined) checkModel(core)
  const summariser$ = summariserOf(options, branchSummariser(core, publish))
  let used: Usage | undefined
  const release = core.hold.delayMessages()
  return defer(() => summariser$({ messages, reason: 'branch' })).pipe(
    tap((value) => {
      if (typeof value === 'object') used = value.usage ?? used
    }),
    filter(isSummary),
    take(1),
    throwIfEmpty(() => new Failure('internal', 'The summariser completed without a summary')),
    map((summary) => {
      const text = typeof summary === 'string' ? summary : summary.text
      const after = now()
      if (after.isRunning || after.state.headEntryId !== from)
        throw new Failure('busy', 'The session changed while its branch was summarised; send branch_session again')
      return summaryEffect(entryId, { summary: text, messages, from }, after)
    }),
    finalize(() => {
      release()
      if (used !== undefined && isSpent(used)) publish({ type: 'summary_usage', reason: 'branch', usage: used })
    }),
  )
}

/** The scripted models spend nothing. */
function isSpent({ totalTokens, cost }: Usage): boolean {
  return totalTokens > 0 || cost === 'unknown' || cost.total > 0
}

/** @throws Failure `bad_request` */
function checkAlone({ newFile, restoreFiles, dryRun }: Branch): void {
  if (newFile !== true && restoreFiles !== true && dryRun !== true) return
  throw new Failure('bad_request', 'summarise cannot be combined with newFile, restoreFiles or dryRun')
}

/** The messages of the head's branch that the target's branch does not have. @throws Failure `bad_request` */
function messagesLeft(state: SessionState, entryId: string | null): readonly Message[] {
  const { entries, summaries, headEntryId } = state
  if (entryId !== null) requireEntry(state, entryId)
  const onTarget = new Set(path(state, entryId))
  const history = path(state, headEntryId).flatMap((id) => {
    if (onTarget.has(id)) return []
    const summary = summaries.get(id)
    return entries.get(id)?.message ?? (summary === undefined ? [] : summaryMessage(summary))
  })
  // the summariser is a model too: it gets no command that a person excluded from the context
  return createConversation({ history, headEntryId, nextEntryId: () => '' }).modelMessages
}

interface LeftBranch {
  readonly summary: string
  readonly messages: readonly Message[]
  /** The head before the move. */
  readonly from: string
}

function summaryEffect(
  parentId: string | null,
  { summary, messages, from }: LeftBranch,
  { core, state }: CommandContext,
): CommandEffect {
  const { conversation } = core
  const entryId = conversation.nextEntryId()
  const tokensOf = tokenEstimate({ system: '', tools: [], messages })
  const at = asyncScheduler.now()
  const summaryEvent: EventNamed<'branch_summary'> = {
    type: 'branch_summary',
    summary,
    tokensBefore: messages.reduce((sum, message) => sum + tokensOf(message), 0),
    tokensAfter: 0,
    entryId,
    parentId,
    fromEntryId: from,
  }
  const message = summaryMessage({ event: summaryEvent, at })
  const event = { ...summaryEvent, tokensAfter: tokensOf(message) }
  conversation.moveTo(entryId, [...contextMessages(state, parentId), message])
  return {
    events: [event, { type: 'head_moved', entryId, summaryEntryId: entryId }],
    result: { headEntryId: entryId },
  }
}
