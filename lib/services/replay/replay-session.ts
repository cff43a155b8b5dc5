// Plays a recorded session as a session of its own; the recording stays as it is.
import { basename } from 'node:path'
import { defer, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { newHeader } from '../../store/index.ts'
import type { OpenedFile } from '../../store/index.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { emptySession } from '../../streams/state/fold-session.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { SessionStore } from '../../streams/ports/session-log.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { damageOf, openTarget } from '../stored/open-target.ts'
import { replayRecords } from './replay-records.ts'
import type { Notice, OpenedSession } from '../contract/server-backend.ts'
import { readOnlySession } from './read-only-session.ts'

type Replay = Omit<CommandNamed<'replay_session'>, 'type'>

export interface ReplayedSession extends OpenedSession {
  readonly readOnly: Failure
}

/** Emits once; playing begins with the first subscriber. Fails with a Failure if there is nothing to play. */
export function replaySession(
  command: Replay,
  stores: readonly [SessionStore, SessionStore],
): Observable<ReplayedSession> {
  return openTarget(command, stores).pipe(
    mergeMap((source) => defer(() => of(playSource(source, command))).pipe(closeOnAbandon(source.log))),
  )
}

function playSource({ log: source, notes }: OpenedFile, { file, speed, maxPauseMs }: Replay): ReplayedSession {
  const { header } = source
  const name = file === undefined ? `session ${header.id}` : basename(file)
  const own = newHeader({
    id: randomIds().session(),
    createdAt: Date.now(),
    cwd: header.cwd,
    title: `Replay of ${header.title ?? name}`,
  })
  const damage = damageOf(source)
  const refusal = replayFailure(own.header.id, name, file === undefined ? 'open' : 'import')
  const { session, over$ } = readOnlySession({
    log: { ...own, records: (after) => source.records(after), close: () => source.close() },
    initial: emptySession(),
    source$: replayRecords(source.records(), { speed, maxPauseMs }),
    begins: 'when watched',
    refusal: () => refusal,
    end: () => endStatus(name, damage),
  })
  const damages = damage === undefined ? [] : [{ code: damage.code, message: damage.message }]
  return { session, over$, notices: [...damages, ...noticesOf(notes)], readOnly: refusal }
}

/** Notes of an import that are shown. */
const mostNotices = 20

function noticesOf(notes: OpenedFile['notes']): Notice[] {
  const shown = notes.slice(0, mostNotices).map(({ line, message }) => `line ${line}: ${message}`)
  const more = notes.length - shown.length
  const all = more === 0 ? shown : [...shown, `and ${more} more; rxpi sessions import lists them`]
  return all.map((message) => ({ code: 'not_as_it_was', message }))
}

function replayFailure(id: string, name: string, way: 'open' | 'import'): Failure {
  const message = `Session ${id} is a replay of ${name} and takes no commands; ${way} ${name} to continue it`
  return new Failure('read_only', message)
}

function endStatus(name: string, damage: Failure | undefined): AgentEvent {
  const message = `The replay of ${name} has ended${damage === undefined ? '' : ' at the damaged line of its log'}`
  return { type: 'status', code: 'replay_ended', message, recoverable: true }
}
