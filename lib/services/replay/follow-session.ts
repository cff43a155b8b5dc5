// Follows a session that another process writes; writes nothing itself.
import { EMPTY, defer, map, takeLast } from 'rxjs'
import type { Observable } from 'rxjs'
import { inSlices } from '../../host/process/run-in-slices.ts'
import type { FileStore } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { emptySession, foldSession } from '../../streams/state/fold-session.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { checkpointDeltas } from './checkpoint-deltas.ts'
import type { OpenedSession } from '../contract/server-backend.ts'
import { readOnlySession } from './read-only-session.ts'

/**
 * Emits the session once its log is read. Durable events come as the other process writes them, deltas with their
 * checkpoints. Fails with a Failure as opening a log for reading does.
 * @param locked the reason why the log cannot be opened for writing
 */
export function followSession(session: string, locked: Failure, files: FileStore): Observable<OpenedSession> {
  return defer(() => {
    const { log } = files.open(session, { readOnly: true })
    return stateOf(log).pipe(
      map((initial) => followLog({ log, initial, locked, files })),
      closeOnAbandon(log),
    )
  })
}

/** Folds the log up to its damage, in slices. */
function stateOf(log: SessionLog): Observable<SessionState> {
  function* steps(): Generator<SessionState, void> {
    let state = emptySession()
    yield state
    try {
      for (const record of log.records()) yield (state = foldSession(state, record))
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'read_only') throw thrown // following reports it
    }
  }
  return inSlices(steps).pipe(takeLast(1))
}

interface Following {
  readonly log: SessionLog
  readonly initial: SessionState
  readonly locked: Failure
  readonly files: FileStore
}

function followLog({ log, initial, locked, files }: Following): OpenedSession {
  const { id } = log.header
  const { session, over$ } = readOnlySession({
    log,
    initial,
    source$: (log.follow?.(initial.seq, { checkpoints: true }) ?? EMPTY).pipe(checkpointDeltas()),
    refusal: () => files.lockedBy(id) ?? releasedFailure(id),
  })
  const { code, message } = locked
  return {
    session,
    over$,
    readOnly: locked,
    notices: [{ code, message }],
    isOutdated: () => files.lockedBy(id) === undefined,
  }
}

function releasedFailure(id: string): Failure {
  const message = `Session ${id} is read-only, because another process held it when it was opened. That process has released it: send open_session again to continue`
  return new Failure('read_only', message)
}
