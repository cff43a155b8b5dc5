// Copies a branch into a session of its own, with only the lines that its entries need.
import { searchToolsName } from '../../streams/messages/inner-call.ts'
import { concat, defer, mergeMap, of, takeLast, EMPTY, catchError, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { path } from '../../streams/state/fold-session.ts'
import { requireEntry } from '../../streams/state/require-entry.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { lineBody } from '../../streams/log/line-event.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { BranchToCopy, CopiedBranch } from '../contract/session-parts.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'

/**
 * Makes a session of the entries from the root to one of them, with `parent` in its header: their messages, calls,
 * results, summaries, labels, edits and pins under their own ids and times, then the model, tools and thinking level
 * that are chosen now. Runs, queues and figures stay behind: its costs begin at 0. Emits once it is durable and closed;
 * works in slices. Fails with `bad_request`, `storage`; a session that was begun then stays as far as it came, and the
 * message names it.
 */
export function copyBranch(branch: BranchToCopy): Observable<CopiedBranch> {
  return defer(() => {
    const { log, state, store, ids, now, opId } = branch
    const entryId = lastEntryOf(branch)
    const selection = selectBranch(state, entryId)
    const { cwd, title } = log.header
    const id = ids.session()
    const copy = store.create({
      id,
      createdAt: now,
      cwd,
      ...titleField(state.title ?? title),
      parent: { sessionId: log.header.id, entryId },
      ...(opId === undefined ? {} : { opId }),
    })
    return inSlices(() => copyLines(branch, selection, copy)).pipe(
      takeLast(1),
      mergeMap(() => concat(copy.durable(), copy.close())),
      takeLast(1),
      mergeMap(() => of({ session: id, headEntryId: entryId })),
      closeOnAbandon(copy),
    )
  })
}

function titleField(title: string | undefined): { readonly title?: string } {
  return title === undefined || title === '' ? {} : { title }
}

function* copyLines(
  { log, state, entryId, now, opId }: BranchToCopy,
  selection: BranchSelection,
  copy: SessionLog,
): Generator<void, void> {
  const { append, end } = lineWriter(copy, opId)
  const filter = branchFilter(selection, state)
  let head: string | null = null
  try {
    for (const { event, at, seq = 0 } of log.records()) {
      if (seq > state.seq) break
      const own = filter(event, seq)
      if (own !== undefined) append(own, at)
      if (own !== undefined && isNode(own)) head = own.entryId
      yield
    }
    if (entryId !== null && head !== entryId) append({ type: 'head_moved', entryId }, now) // a log from elsewhere may have children first
    for (const event of chosenSettings(state)) append(event, now)
    end()
    yield
  } catch (thrown) {
    const { code, message, data } = Failure.from(thrown)
    const more = `${message}. The branch was copied only in part, to session ${copy.header.id}`
    throw new Failure(code, more, { data, cause: thrown })
  }
}

/** The last line carries the opId: a copy that a killed process left unfinished lacks it. */
function lineWriter(copy: SessionLog, opId: string | undefined) {
  let last: { readonly event: AgentEvent; readonly at: number } | undefined
  const write = (more: { readonly opId?: string | undefined }): void => {
    if (last !== undefined) copy.append(lineBody({ seq: copy.head + 1, ...last, ...more }, copy.blobs))
  }
  return {
    append: (event: AgentEvent, at: number): void => {
      write({})
      last = { event, at }
    },
    end: (): void => {
      write({ opId })
    },
  }
}

interface BranchSelection {
  readonly nodes: ReadonlySet<string>
  /** Calls with a result on the branch, by the answer's entry and the call's id: providers repeat ids. */
  readonly calls: ReadonlySet<string>
}

/** @throws Failure `bad_request` */
function lastEntryOf({ entryId, state }: BranchToCopy): string {
  if (entryId === null)
    throw new Failure('bad_request', 'A branch in a new file needs an entryId; for an empty session use new_session')
  requireEntry(state, entryId)
  return entryId
}

function selectBranch(state: SessionState, entryId: string): BranchSelection {
  const nodes = path(state, entryId)
  const calls = new Set<string>()
  let answer = ''
  for (const id of nodes) {
    const message = state.entries.get(id)?.message
    if (message?.role === 'assistant') answer = id
    else if (message?.role === 'toolResult') calls.add(callKey(answer, message.toolCallId))
  }
  return { nodes: new Set(nodes), calls }
}

function callKey(entryId: string, toolCallId: string): string {
  return `${entryId} ${toolCallId}`
}

/** Returns the part of each event to copy, called in the order of the log. */
function branchFilter({ nodes, calls }: BranchSelection, { edits, pins }: SessionState) {
  const running = new Set<string>()
  const selectIf = (isSelected: boolean, event: AgentEvent): AgentEvent | undefined => (isSelected ? event : undefined)
  return (event: AgentEvent, seq: number): AgentEvent | undefined => {
    switch (event.type) {
      case 'message_start': {
        const { queueId, ...start } = event // the copy has no queue
        return selectIf(nodes.has(event.entryId), start)
      }
      case 'message_end':
      case 'compaction':
      case 'branch_summary':
        return selectIf(nodes.has(event.entryId), event)
      case 'tool_execution_start': {
        const isSelected = calls.has(callKey(event.entryId, event.toolCallId))
        if (isSelected) running.add(event.toolCallId)
        else running.delete(event.toolCallId)
        return selectIf(isSelected, event)
      }
      case 'tool_execution_end':
        return selectIf(running.delete(event.toolCallId), event)
      case 'label':
        return selectIf(nodes.has(event.targetEntryId), event)
      case 'context_edit': // the last one of an entry holds
        return selectIf(nodes.has(event.targetEntryId) && edits.get(event.targetEntryId)?.seq === seq, event)
      case 'context_pin':
        return selectIf(event.pinned && nodes.has(event.targetEntryId) && pins.has(event.targetEntryId), event)
      default:
        return undefined
    }
  }
}

function isNode(event: AgentEvent): event is Extract<AgentEvent, { type: 'message_end' | 'compaction' }> {
  return event.type === 'message_end' || event.type === 'compaction' || event.type === 'branch_summary'
}

/** The settings of the next request, so that the copy continues alike. */
function* chosenSettings({
  model,
  thinkingLevel,
  activeTools,
  switchedOff,
  foundTools,
}: SessionState): Generator<AgentEvent, void> {
  if (model !== undefined) yield { type: 'model_change', to: model, by: 'server' }
  if (thinkingLevel !== undefined) yield { type: 'thinking_level_change', to: thinkingLevel, by: 'server' }
  if (activeTools !== undefined) yield copiedTools(activeTools, switchedOff)
  if (foundTools !== undefined)
    yield { type: 'tool_set_change', added: [...foundTools], removed: [], source: searchToolsName }
}

/** Tools that a client switched off stay off. */
function copiedTools(active: readonly string[], off: readonly string[] = []): AgentEvent {
  const to = [...active]
  return off.length === 0
    ? { type: 'active_tools_change', to, by: 'server' }
    : { type: 'active_tools_change', from: [...active, ...off], to, by: 'client' }
}

/**
 * As `copyBranch`, once for an `opId`, also after a restart. Fails with `bad_request` if the opId named another branch.
 */
export function copyBranchOnce(branch: BranchToCopy): Observable<CopiedBranch> {
  return defer(() => {
    const { session, headEntryId } = findCopy(branch) ?? {}
    if (session === undefined || headEntryId === undefined) return copyBranch(branch)
    return concat(syncCopy(branch, session), of({ session, headEntryId }))
  })
}

/** Undefined if there is no whole copy. @throws Failure `bad_request`, `storage` */
function findCopy({ log, store, opId, entryId }: BranchToCopy): CopiedBranch | undefined {
  const { id, cwd } = log.header
  const header = opId === undefined ? undefined : store.madeBy?.(opId, cwd, id)
  const headEntryId = header?.parent?.entryId
  if (opId === undefined || header === undefined || headEntryId === undefined) return undefined
  if (!isWhole({ store, opId }, header.id)) return undefined
  if (headEntryId === entryId) return { session: header.id, headEntryId }
  throw new Failure('bad_request', `opId "${opId}" was already used for another branch_session; use a new one`)
}

function isWhole({ store, opId }: Pick<BranchToCopy, 'store' | 'opId'>, session: string): boolean {
  const { log } = store.open(session, { readOnly: true })
  try {
    for (const record of log.records()) if (record.opId === opId) return true
    return false
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'read_only') return false // damaged before its last line
    throw thrown
  } finally {
    log.close().subscribe()
  }
}

/** Syncs a copy whose process may have ended before its sync. A process that holds the copy has synced it. */
function syncCopy({ store }: BranchToCopy, session: string): Observable<never> {
  return defer(() => store.open(session).log.close()).pipe(
    catchError((thrown: unknown) => (isLocked(thrown) ? EMPTY : throwError(() => Failure.from(thrown)))),
  )
}

function isLocked(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === 'session_locked'
}
