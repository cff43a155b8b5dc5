// A session store that also opens the sessions being replayed, for reading.
import { EMPTY, of } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { OpenedSession } from '../contract/server-backend.ts'
import type { Session } from '../../session/contract/session.ts'

export interface ReplayStore extends SessionStore {
  /** Adds a replayed session: it can be opened for reading until it is over, never for writing. Returns it. */
  add(replayed: OpenedSession & { readonly readOnly: Failure }): OpenedSession
}

/** Opens replayed sessions, and those of `store`. */
export function replayStore(store: SessionStore): ReplayStore {
  const replays = new Map<string, { readonly log: SessionLog; readonly readOnly: Failure }>()
  return {
    create: (header) => store.create(header),
    latest: (cwd) => store.latest(cwd),
    open(sessionId, options = {}) {
      const found = replays.get(sessionId)
      if (found === undefined) return store.open(sessionId, options)
      if (options.readOnly !== true) throw found.readOnly
      return { log: found.log, warnings: [] }
    },
    add(opened) {
      const { session, readOnly, over$ } = opened
      replays.set(session.id, { log: logOf(session, readOnly), readOnly })
      over$?.subscribe({ complete: () => replays.delete(session.id) })
      return opened
    },
  }
}

function logOf(session: Session, readOnly: Failure): SessionLog {
  const refuse = (): never => {
    throw readOnly
  }
  return {
    header: session.header,
    headerLine: session.headerLine,
    get head() {
      return session.state$.value.seq
    },
    readOnly,
    append: refuse,
    checkpoint: refuse,
    sync: () => undefined,
    durable: () => of(undefined),
    records: (after = 0, only) => ofTypes(session.logged({ after }), only),
    checkpoints: () => [],
    close: () => EMPTY, // the replay goes on
  }
}

function* ofTypes(
  records: Iterable<SessionRecord>,
  only: ReadonlySet<string> | undefined,
): Generator<SessionRecord, void> {
  for (const record of records) if (only?.has(record.event.type) !== false) yield record
}
