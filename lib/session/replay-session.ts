// A recorded session is played as a session of its own: its records come again as they were written, and nothing is changed by it.
import { basename, isAbsolute } from 'node:path'
import { defer, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { newHeader, openSessionFile } from '../store/index.ts'
import type { CommandNamed } from '../streams/command.ts'
import type { AgentEvent } from '../streams/event.ts'
import { Failure } from '../streams/failure.ts'
import { emptySession } from '../streams/fold-session.ts'
import { randomIds } from '../streams/ids.ts'
import type { SessionLog, SessionStore } from '../streams/session-log.ts'
import { closedOnFailure } from './closed-on-failure.ts'
import { damageOf } from './damage-of.ts'
import { openIn } from './open-in.ts'
import { replayedRecords } from './replayed-records.ts'
import type { OpenedSession } from './session-host.ts'
import { watchedSession } from './watched-session.ts'

type Replay = Omit<CommandNamed<'replay_session'>, 'type'>

export interface ReplayedSession extends OpenedSession {
  readonly readOnly: Failure
}

/** Emits once; playing begins when somebody watches. Fails with a Failure where there is nothing to play. */
export function replaySession(
  command: Replay,
  stores: readonly [SessionStore, SessionStore],
): Observable<ReplayedSession> {
  return sourceOf(command, stores).pipe(
    mergeMap((log) => defer(() => of(played(log, command))).pipe(closedOnFailure(log))),
  )
}

function sourceOf({ session, file }: Replay, stores: readonly [SessionStore, SessionStore]): Observable<SessionLog> {
  return defer(() => {
    if (session !== undefined && file === undefined) return of(openIn(stores, session, { readOnly: true }).log)
    if (session !== undefined || file === undefined) throw new Failure('bad_request', 'Give either session or file')
    if (isAbsolute(file)) return openSessionFile({ file, ids: randomIds(), now: Date.now() })
    throw new Failure('bad_request', `file is "${file}", which is not an absolute path`)
  })
}

function played(source: SessionLog, { file, speed, maxPauseMs }: Replay): ReplayedSession {
  const { header } = source
  const name = file === undefined ? `session ${header.id}` : basename(file)
  const own = newHeader({
    id: randomIds().session(),
    createdAt: Date.now(),
    cwd: header.cwd,
    title: `Replay of ${header.title ?? name}`,
  })
  const damage = damageOf(source)
  const refusal = isReplay(own.header.id, name, file === undefined ? 'open' : 'import')
  const { session, over$ } = watchedSession({
    log: { ...own, records: (after) => source.records(after), close: () => source.close() },
    initial: emptySession(),
    coming$: replayedRecords(source.records(), { speed, maxPauseMs }),
    begins: 'when watched',
    refusal: () => refusal,
    end: () => ended(name, damage),
  })
  const notices = damage === undefined ? [] : [{ code: damage.code, message: damage.message }]
  return { session, over$, notices, readOnly: refusal }
}

function isReplay(id: string, name: string, way: 'open' | 'import'): Failure {
  const message = `Session ${id} is a replay of ${name} and takes no commands; ${way} that to go on with it`
  return new Failure('read_only', message)
}

function ended(name: string, damage: Failure | undefined): AgentEvent {
  const message = `The replay of ${name} has ended${damage === undefined ? '' : ` where its log is damaged`}`
  return { type: 'status', code: 'replay_ended', message, recoverable: true }
}
