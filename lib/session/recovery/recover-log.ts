// Repairs a log on opening: closes its unfinished run, open questions and jobs.
import { asyncScheduler } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { foldSession } from '../../streams/state/fold-session.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import { lineBody } from '../../streams/log/line-event.ts'
import type { KilledWriter, OpenWarning, SessionLog } from '../../streams/ports/session-log.ts'
import { LazyEntries } from './lazy-history.ts'
import { closeUnfinishedRun } from './close-unfinished-run.ts'
import { appendMessage } from '../runs/append-message.ts'
import { unfinishedRun } from './unfinished-run.ts'
import { bashExecutionIn, bashExecutionMessage } from '../../streams/messages/bash-execution.ts'
import { defaultOutcome, defaultQuestionOutcome } from '../../streams/ports/ask.ts'
import type { Message } from '../../streams/messages/message.ts'

export interface RecoverLogOptions {
  readonly log: SessionLog
  /** The folded log. */
  readonly state: SessionState
  /** The warnings of opening the log. */
  readonly warnings: readonly OpenWarning[]
  readonly ids: Pick<Ids, 'short'>
  /** Ends the processes that killed ones left, and returns the names of those that `owner` started. Default: none. */
  readonly endOrphans?: ((owner?: KilledWriter) => readonly string[]) | undefined
}

/**
 * Returns the state to continue with. Appends defaults for open questions, ends of jobs, the end of an unfinished run
 * and the warnings, and starts a sync. A read-only log stays as it is; its state has nothing open either.
 * @throws Failure `storage`; the next opening continues from the written events
 */
export function recoverLog({ log, state, warnings, ids, endOrphans }: RecoverLogOptions): SessionState {
  if (log.readOnly !== undefined) return withoutOpenParts(state)
  const { killedWriter } = log
  const wasBusy = state.running !== undefined || state.jobs.length > 0
  const ended = wasBusy ? (endOrphans?.(killedWriter) ?? []) : []
  const orphans = killedWriter === undefined ? [] : ended // of other sessions; their recovery reports its own
  const runId = state.running?.runId
  const whole = appendAll(log, state, { events: openCommandEnd(state) }) // no part of the run
  const events = [...orphanEvents(whole, log, lastIdleSeq(whole)), ...runEndEvents(log, whole, ids)]
  const closed = appendAll(log, whole, { events, runId })
  const settled = appendAll(log, closed, { events: deferredEvents(closed, ids) })
  return withoutOpenParts(
    appendAll(log, settled, { events: [...warnings, ...orphanWarnings(orphans)].map(warningEvent) }),
  )
}

/** The end of a command's message that is open. */
function openCommandEnd({ open, deferred }: SessionState): AgentEvent[] {
  const jobId = open === undefined ? undefined : bashExecutionIn(open.message)?.jobId
  const message = deferred.find((each) => bashExecutionIn(each)?.jobId === jobId)
  if (open === undefined || jobId === undefined || message === undefined) return []
  return [{ type: 'message_end', entryId: open.entryId, parentId: open.parentId, message }]
}

/** Messages that waited for the end of a turn follow it, in order. */
function deferredEvents(state: SessionState, ids: Pick<Ids, 'short'>): AgentEvent[] {
  let { headEntryId } = state
  return state.deferred.flatMap((message) => {
    const append = (entryId: string): void => {
      headEntryId = entryId
    }
    return appendMessage(message, { headEntryId, nextEntryId: () => unusedId(state, ids), append })
  })
}

function runEndEvents(log: SessionLog, state: SessionState, ids: Pick<Ids, 'short'>): AgentEvent[] {
  const run = state.running === undefined ? undefined : unfinishedRun(log.records(lastIdleSeq(state)))
  if (run === undefined) return []
  const nextEntryId = (): string => unusedId(state, ids)
  return closeUnfinishedRun({ state, run, checkpoints: log.checkpoints(), now: asyncScheduler.now(), nextEntryId })
}

/** The last line after which no run is known to have been active. */
function lastIdleSeq({ entries }: SessionState): number {
  return entries instanceof LazyEntries ? entries.snapshotSeq : 0
}

function unusedId({ entries }: SessionState, ids: Pick<Ids, 'short'>): string {
  let id = ids.short()
  while (entries.has(id)) id = ids.short()
  return id
}

function orphanWarnings(names: readonly string[]): OpenWarning[] {
  if (names.length === 0) return []
  const count = names.length === 1 ? '1 process' : `${names.length} processes`
  const message = `The killed rxpi had left ${count} running, which recovery ended: ${[...new Set(names)].join(', ')}`
  return [{ code: 'orphans_ended', message }]
}

function warningEvent(warning: OpenWarning): AgentEvent {
  return { type: 'warning', ...warning, recoverable: true }
}

interface AppendOptions {
  readonly events: readonly AgentEvent[]
  readonly runId?: string | undefined
}

function appendAll(log: SessionLog, initial: SessionState, { events, runId }: AppendOptions): SessionState {
  const at = asyncScheduler.now()
  let state = initial
  for (const event of events) {
    const seq = log.head + 1
    log.append(lineBody({ seq, at, runId, event }, log.blobs))
    state = foldSession(state, { event, seq, runId })
  }
  if (events.length > 0) log.sync()
  return state
}

function withoutOpenParts({ running, open, ...state }: SessionState): SessionState {
  const nothingOpen = { requests: [], questions: [], jobs: [], jobOutput: new Map(), deferred: [] }
  return { ...state, tools: new Map(), ...nothingOpen }
}

/**
 * Returns a `ui_resolved` or `question_resolved` by `recovery` for each open question. Then, in the order of their
 * starts, a `job_end` without exit code for each command of the user, and a `job_lost` for each job of a tool. The
 * log's last line counts as the end of a command. Writes nothing.
 * @param from the first line to read for that
 */
function orphanEvents(
  { requests, questions, jobs }: Pick<SessionState, 'requests' | 'questions' | 'jobs'>,
  log: Pick<SessionLog, 'records'>,
  from: number,
): AgentEvent[] {
  const resolved = requests.map((request): AgentEvent => ({
    type: 'ui_resolved',
    requestId: request.requestId,
    outcome: defaultOutcome(request),
    by: 'recovery',
  }))
  const answered = questions.map((question): AgentEvent => ({
    type: 'question_resolved',
    requestId: question.requestId,
    outcome: defaultQuestionOutcome(question),
    by: 'recovery',
  }))
  return [...resolved, ...answered, ...jobEndEvents(jobs, log, from)]
}

const starts = new Set(['job_start'])

function jobEndEvents(jobs: SessionState['jobs'], log: Pick<SessionLog, 'records'>, from: number): AgentEvent[] {
  if (jobs.length === 0) return []
  const startedAt = new Map<string, number>()
  let lastAt = 0
  for (const { event, at } of log.records(0, starts)) if (event.type === 'job_start') startedAt.set(event.jobId, at)
  for (const { at } of log.records(Math.max(0, from - 1))) lastAt = at
  return jobs.map((job) => {
    const { jobId, by } = job
    if (by !== 'client') return { type: 'job_lost', jobId }
    const began = startedAt.get(jobId) ?? lastAt
    const durationMs = Math.max(0, lastAt - began)
    return { type: 'job_end', jobId, exitCode: null, durationMs, message: abandonedCommand(job, began) }
  })
}

/** The command's output is lost: no line holds live output. */
function abandonedCommand(
  { jobId, command, excludeFromContext }: SessionState['jobs'][number],
  timestamp: number,
): Message {
  return bashExecutionMessage({
    role: 'bashExecution',
    jobId,
    command,
    output: 'the process ended while this ran; it may have taken effect',
    cancelled: true,
    truncated: false,
    ...(excludeFromContext === true ? { excludeFromContext } : {}),
    timestamp,
  })
}
