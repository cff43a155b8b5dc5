// The last run of a branch is found by looking at few of its lines, however long it is.
import { branch } from '../../streams/state/fold-session.ts'
import type { Entry, SessionState } from '../../streams/state/fold-session.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'

export interface LastRun {
  readonly runId: string | undefined
  /** The first entry that it made on this branch. */
  readonly first: Entry
}

/** @throws Failure `bad_request` where the branch has no entry */
export function lastRun(log: SessionLog, state: SessionState): LastRun {
  const entries = branch(state)
  const last = entries.at(-1)
  if (last === undefined)
    throw new Failure('bad_request', 'There is nothing to undo: the conversation is at its beginning')
  const runId = runOf(log, last)
  // on a branch a run's entries stand together, at its end those of the last one
  let before = -1
  let first = entries.length - 1
  while (first - before > 1) {
    const middle = Math.floor((first + before) / 2)
    const entry = entries[middle]
    if (entry !== undefined && runOf(log, entry) === runId) first = middle
    else before = middle
  }
  return { runId, first: entries[first] ?? last }
}

function runOf(log: SessionLog, { seq }: Entry): string | undefined {
  for (const record of log.records(seq - 1)) return record.runId
  return undefined
}
