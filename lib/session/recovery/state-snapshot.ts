// Stores a session's state beside its log, and restores it: small parts whole, the rest by id.
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { Entry, SessionState, SummaryNode } from '../../streams/state/fold-session.ts'
import type { StateSnapshot, SessionLog } from '../../streams/ports/session-log.ts'
import { LazyHistory, LazyEntries } from './lazy-history.ts'
import { LazyMap, IdFilter } from './lazy-map.ts'
import { carriedEntries } from '../../streams/state/fold-context-changes.ts'
import type { ContextEdit } from '../../streams/state/fold-context-changes.ts'
import { contextNodes } from '../../streams/state/context-messages.ts'
import type { ContextTree } from '../../streams/state/context-messages.ts'
import { Failure } from '../../streams/values/failure.ts'

/** The parts of a log that a restored state reads. */
export type SnapshotLog = Pick<SessionLog, 'kept' | 'records' | 'entries' | 'earlier'>

/** The snapshot's JSON. */
interface SnapshotContent {
  /** Increases if the fold changes, or the state has new fields without a default. */
  readonly version: number
  /** The fields that are stored as they are. */
  readonly plain: Omit<PlainState, Later> & Partial<Pick<PlainState, Later>>
  readonly summaries: readonly SummaryNode[]
  readonly labels: readonly (readonly [string, string])[]
  /** These three: absent in a snapshot of an earlier build, which could not write such changes. */
  readonly edits?: readonly (readonly [string, ContextEdit])[]
  readonly pins?: readonly string[]
  readonly carried?: readonly Entry[]
  readonly entryNames: string
  readonly opNames: string
}

type PlainState = Omit<
  SessionState,
  | 'entries'
  | 'commands'
  | 'summaries'
  | 'labels'
  | 'edits'
  | 'pins'
  | 'carried'
  | 'tools'
  | 'running'
  | 'open'
  | 'requests'
  | 'questions'
  | 'jobs'
  | 'jobOutput'
  | 'deferred'
>

/** Fields that a snapshot of an earlier build does not have. */
type Later = 'plan' | 'contextAdded'

const version = 1

/** Undefined during a run: an unfinished state is not stored. */
export function createStateSnapshot(state: SessionState): StateSnapshot | undefined {
  const { entries, commands, summaries, labels, edits, pins, carried, tools, running, open, ...others } = state
  const { requests, questions, jobs, jobOutput, deferred, ...plain } = others
  const openParts = requests.length + questions.length + jobs.length + deferred.length
  if (running !== undefined || open !== undefined || openParts > 0) return undefined
  const content: SnapshotContent = {
    version,
    plain,
    summaries: [...summaries.values()],
    labels: [...labels],
    edits: [...edits],
    pins: [...pins],
    carried: carriedEntries({ entries, carried, pins, summaries }),
    entryNames: idFilterOf(entries).toText(),
    opNames: idFilterOf(commands).toText(),
  }
  return { seq: state.seq, contextFrom: contextFrom({ ...state, entries: nodesOf(entries) }), state: content }
}

/** Restores a state; its earlier entries and commands stay in the log. Undefined without a usable snapshot. */
export function stateFromSnapshot(log: SnapshotLog): SessionState | undefined {
  const { kept: snapshot } = log
  if (snapshot === undefined || !isSnapshotContent(snapshot.state)) return undefined
  const { plain, summaries, labels, edits = [], pins = [], carried = [], entryNames, opNames } = snapshot.state
  return {
    ...plain,
    plan: plain.plan ?? [], // a snapshot of an earlier build has none
    contextAdded: plain.contextAdded ?? {},
    tools: new Map(),
    requests: [],
    questions: [],
    jobs: [],
    jobOutput: new Map(),
    deferred: [],
    summaries: new Map(summaries.map((node) => [node.event.entryId, node])),
    labels: new Map(labels),
    edits: new Map(edits),
    pins: new Set(pins),
    carried: new Map(carried.map((entry) => [entry.entryId, entry])),
    entries: entriesOf(IdFilter.fromText(entryNames), log, snapshot),
    commands: earlierCommands(IdFilter.fromText(opNames), log, snapshot),
  }
}

function nodesOf(entries: SessionState['entries']): Pick<SessionState['entries'], 'get'> {
  return entries instanceof LazyEntries ? entries.nodes : entries
}

function idFilterOf<Value>(map: ReadonlyMap<string, Value>): IdFilter {
  return map instanceof LazyMap ? map.names() : IdFilter.of(map.keys())
}

function entriesOf(names: IdFilter, log: SnapshotLog, { contextFrom: from, seq }: StateSnapshot): LazyEntries {
  return new LazyEntries({
    names,
    context: () => new Map((log.entries?.(from, seq) ?? []).map((entry) => [entry.entryId, entry])),
    earlier: new LazyHistory(() => log.earlier?.() ?? noEntries()),
    snapshotSeq: seq,
  })
}

function earlierCommands(names: IdFilter, log: Pick<SessionLog, 'records'>, { seq }: StateSnapshot) {
  let commands: SessionState['commands'] | undefined
  return new LazyMap({ names, layers: [() => (commands ??= foldUntil(seq, log.records()).commands)] })
}

function foldUntil(seq: number, records: ReturnType<SessionLog['records']>): SessionState {
  let state = emptySession()
  for (const record of records) {
    if (record.seq === undefined || record.seq > seq) break
    state = foldSession(state, record)
  }
  return state
}

function* noEntries(): Generator<readonly Entry[], void> {}

function isSnapshotContent(value: unknown): value is SnapshotContent {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === version
}

/** The `seq` of the first line that the model's context needs. A result's content follows the answer that called. */
export function contextFrom(tree: ContextTree): number {
  const nodes = contextNodes(tree)
  let first: Entry | SummaryNode | undefined = nodes[0]
  if (first !== undefined && 'event' in first && first.event.type === 'compaction') first = nodes[1] ?? first
  while (first !== undefined && 'message' in first && first.message.role === 'toolResult' && first.parentId !== null)
    first = tree.entries.get(first.parentId) ?? tree.summaries.get(first.parentId)
  return first?.seq ?? 1
}

/** Bytes of log that opening may have to read: after a close, and during a session. */
const unsavedBytes = { closing: 256 * 1024, settled: 8 * 2 ** 20 }

type SaveMoment = keyof typeof unsavedBytes

/** Stores a snapshot if it saves the next opening enough reading, and no run is active. */
export function saveStateSnapshot(log: SessionLog, state: SessionState, when: SaveMoment): void {
  const { unkept = 0, kept: snapshot } = log
  if (log.keep === undefined || log.readOnly !== undefined) return
  if (unkept < unsavedBytes[when] && !(unkept >= unsavedBytes.closing && isCompacted(state, snapshot?.seq))) return
  const next = snapshotIfReadable(state)
  if (next !== undefined) log.keep(next)
}

/** Undefined if the context's first line is damaged: reading the context reports that. */
function snapshotIfReadable(state: SessionState): StateSnapshot | undefined {
  try {
    return createStateSnapshot(state)
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
}

function isCompacted({ summaries }: SessionState, since = 0): boolean {
  return [...summaries.values()].some(({ seq, event }) => seq > since && event.type === 'compaction')
}
