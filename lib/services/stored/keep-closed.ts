// A session that was made without being opened is opened once, so that whoever opens it next need not wait for all of it to be read.
import { EMPTY, catchError, concat, defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import { closedUnlessAnswered } from '../../streams/rx/closed-unless-answered.ts'
import { keepSession } from '../../session/recovery/keep-session.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'

/**
 * Keeps a closed session beside its log where that saves something; completes when it is closed again. Fails with no Failure: where
 * somebody has it open, or it cannot be read, the next opening goes without and tells what is wrong.
 */
export function keepClosed(store: Pick<SessionStore, 'open'>, sessionId: string): Observable<never> {
  return defer(() => {
    const { log } = store.open(sessionId)
    const kept$ = defer(() => {
      keepSession(log, replayLog(log), 'closing')
      return EMPTY
    })
    return concat(kept$, log.close()).pipe(closedUnlessAnswered(log))
  }).pipe(catchError(nothingOf))
}

/** @throws what is no Failure: that is a fault of ours */
function nothingOf(thrown: unknown): Observable<never> {
  if (thrown instanceof Failure) return EMPTY
  throw thrown
}
