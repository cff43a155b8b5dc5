// Answers reading commands from the log of a session; writes nothing and needs no model.
import { concat, map, mergeMap, of, takeLast, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { createConversation } from '../../operators/run/conversation.ts'
import { inSlices } from '../../host/process/run-in-slices.ts'
import type { FileStore, ListedLog } from '../../store/index.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { contextMessages, contextNodes } from '../../streams/state/context-messages.ts'
import { failureShape, Failure } from '../../streams/values/failure.ts'
import { requireEntry } from '../../streams/state/require-entry.ts'
import { branch, emptySession, foldSession, path } from '../../streams/state/fold-session.ts'
import type { Entry, SessionState, SummaryNode } from '../../streams/state/fold-session.ts'
import { foldStats, noStats } from '../../streams/state/session-stats.ts'
import type { SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { sessionTree } from '../../streams/state/session-tree.ts'
import { tokenEstimate } from '../../streams/ports/token-estimate.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { damageOf, openTarget } from './open-target.ts'
import type { Target } from './open-target.ts'
import { buildSessionStatus } from './build-session-status.ts'
import type { StoredBackend } from '../contract/server-backend.ts'

/** Default number of entries of a result. */
const defaultLimit = 100
/** UTF-16 units of a result's entries as JSON; a longer entry is a result of its own. */
const maxPageLength = 2 ** 20

export interface ReadStores {
  readonly memory: SessionStore
  readonly files: FileStore
}

/** Answers the reading commands without opening a session for writing. */
export function readSessions(
  stores: ReadStores,
): Pick<StoredBackend, 'getState' | 'getTree' | 'getEntries' | 'getContext' | 'getStats'> {
  return {
    getState: ({ session }) =>
      stateOf(stores, { session }).pipe(
        map(({ log, result: state, store }) => {
          // a session in memory is open here or nowhere
          const held = store === stores.files ? stores.files.lockedBy(session) : undefined
          return statusOf(log, state, held)
        }),
      ),
    getTree: (target) =>
      stateOf(stores, target).pipe(
        mergeMap(({ log: { header }, result: state }) =>
          childrenOf(stores.files, header.id).pipe(map((children) => treeOf(header, state, children))),
        ),
      ),
    getEntries: ({ session, file, ...wanted }) =>
      stateOf(stores, { session, file }).pipe(map(({ result }) => entriesOf(result, wanted))),
    getContext: ({ entryId, ...target }) =>
      stateOf(stores, target).pipe(map(({ result }) => contextOf(result, entryId))),
    getStats: (target) =>
      foldLog(stores, target, noStats(), (stats, { event }) => foldStats(stats, event)).pipe(
        map(({ result }) => ({ ...result })),
      ),
  }
}

interface Read<Result> {
  readonly log: SessionLog
  /** The store of the session; absent for a file. */
  readonly store?: SessionStore | undefined
  readonly result: Result
}

function stateOf(stores: ReadStores, target: Target): Observable<Read<SessionState>> {
  return foldLog(stores, target, emptySession(), foldSession)
}

/** Folds a log in slices, up to its damage, and closes it. */
export function foldLog<Result>(
  { memory, files }: ReadStores,
  target: Target,
  initial: Result,
  fold: (result: Result, record: SessionRecord) => Result,
): Observable<Read<Result>> {
  return openTarget(target, [memory, files]).pipe(
    mergeMap(({ log, store }) =>
      inSlices(() => foldSteps(log, initial, fold)).pipe(
        takeLast(1),
        mergeMap((result) => concat(log.close(), of({ log, store, result }))),
        closeOnAbandon(log),
      ),
    ),
  )
}

function* foldSteps<Result>(
  log: SessionLog,
  initial: Result,
  fold: (result: Result, record: SessionRecord) => Result,
): Generator<Result, void> {
  let result = initial
  yield result
  try {
    for (const record of log.records()) yield (result = fold(result, record))
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'read_only') throw thrown
  }
}

/** The whole log was read: its undamaged lines are verified. */
function statusOf(log: SessionLog, state: SessionState, held: Failure | undefined): ResultOf<'get_state'> {
  const readOnly = damageOf(log) ?? held
  return buildSessionStatus({
    header: log.header,
    state,
    open: false,
    verified: true,
    ...(readOnly === undefined ? {} : { readOnly: failureShape(readOnly) }),
  })
}

/** The sessions whose parent is an entry of this one. */
function childrenOf(files: FileStore, session: string): Observable<readonly ListedLog[]> {
  return files.children(session).pipe(
    toArray(),
    map((lists) => lists.flatMap(({ logs }) => logs)),
  )
}

function treeOf(
  header: SessionLog['header'],
  state: SessionState,
  children: readonly ListedLog[],
): ResultOf<'get_tree'> {
  const title = state.title ?? header.title ?? ''
  return {
    header,
    ...(title === '' ? {} : { title }),
    headEntryId: state.headEntryId,
    entries: sessionTree(state),
    children: children.flatMap(({ facts: { id, title: name, firstWords, updatedAt, parent } }) =>
      parent === undefined
        ? []
        : [
            {
              session: id,
              entryId: parent.entryId,
              updatedAt,
              ...(name === undefined ? {} : { title: name }),
              ...(firstWords === undefined ? {} : { firstWords }),
            },
          ],
    ),
  }
}

type EntriesWanted = Omit<CommandNamed<'get_entries'>, 'type' | 'session' | 'file'>

/** @throws Failure `bad_request` for `after` together with `before`, and for an unknown branch */
function entriesOf(
  state: SessionState,
  { after, before, branch: end, limit = defaultLimit }: EntriesWanted,
): ResultOf<'get_entries'> {
  if (after !== undefined && before !== undefined) throw new Failure('bad_request', 'Give either after or before')
  const all =
    end === undefined
      ? [...state.entries.values()]
      : branch(state, end === 'head' ? state.headEntryId : checkEntryId(state, end))
  const wanted = all.filter(({ seq }) => seq > (after ?? 0) && seq < (before ?? Infinity)).sort(compareSeq)
  const entries =
    before === undefined ? takeFitting(wanted.slice(0, limit)) : takeFitting(wanted.slice(-limit).reverse()).reverse()
  const more = entries.length < wanted.length
  const isAmong = ({ seq }: SummaryNode): boolean =>
    before === undefined
      ? seq > (after ?? 0) && (!more || seq < (entries.at(-1)?.seq ?? 0))
      : seq < before && (!more || seq > (entries[0]?.seq ?? 0))
  const at = end === 'head' ? state.headEntryId : end
  return {
    entries: entries.map((entry) => ({ ...entry })),
    head: state.seq,
    headEntryId: state.headEntryId,
    more,
    ...summariesOf(state, at, isAmong),
  }
}

type Summaries = Pick<ResultOf<'get_entries'>, 'summaries' | 'compaction'>

/** Most summaries of a result. */
const mostSummaries = 50

/** @param end last entry of the branch; undefined: the whole tree */
function summariesOf(
  state: SessionState,
  end: string | null | undefined,
  isAmong: (node: SummaryNode) => boolean,
): Summaries {
  if (state.summaries.size === 0) return {}
  const nodes =
    end === undefined ? [...state.summaries.values()] : path(state, end).flatMap((id) => state.summaries.get(id) ?? [])
  const among = nodes.filter(isAmong).sort(compareSeq).slice(-mostSummaries)
  const [first] = end === undefined ? [] : contextNodes(state, end)
  return {
    ...(among.length === 0 ? {} : { summaries: among.map(summaryResult) }),
    ...(first !== undefined && 'event' in first && first.event.type === 'compaction'
      ? { compaction: summaryResult(first) }
      : {}),
  }
}

function summaryResult({ seq, at, event }: SummaryNode): NonNullable<Summaries['compaction']> {
  return { seq, at, event }
}

/** As many entries as fit into a result, from the first one on: at least one. */
function takeFitting(entries: readonly Entry[]): Entry[] {
  let room = maxPageLength
  const past = entries.findIndex((entry) => (room -= JSON.stringify(entry).length) < 0)
  return entries.slice(0, past === -1 ? undefined : Math.max(1, past))
}

function compareSeq({ seq: one }: { readonly seq: number }, { seq: other }: { readonly seq: number }): number {
  return one - other
}

function contextOf(state: SessionState, entryId: string | undefined): ResultOf<'get_context'> {
  const at = entryId === undefined ? state.headEntryId : checkEntryId(state, entryId)
  const { modelMessages } = createConversation({
    history: contextMessages(state, at),
    headEntryId: at,
    nextEntryId: () => '',
  })
  const tokensOf = tokenEstimate({ system: '', tools: [], messages: modelMessages })
  const tokens = modelMessages.reduce((sum, message) => sum + tokensOf(message), 0)
  return { entryId: at, messages: [...modelMessages], tokens }
}

/** @throws Failure `bad_request` */
function checkEntryId(state: SessionState, entryId: string): string {
  requireEntry(state, entryId)
  return entryId
}
