// A session that is open nowhere is changed by opening it for that one change: no model is looked for, and none is asked.
import { asyncScheduler, concat, defer, mergeMap, of, throwError, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, ResultOf } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'
import { randomIds } from '../streams/ids.ts'
import type { Model } from '../streams/model.ts'
import type { OpenOptions, SessionLog } from '../streams/session-log.ts'
import { closedOnFailure } from './closed-on-failure.ts'
import { copyBranch } from './copy-branch.ts'
import type { OpenedIn } from './open-in.ts'
import { openSession } from './open-session.ts'
import { replayLog } from './replay-log.ts'
import type { SessionCommand } from './session.ts'

/** The commands that need no model: a session that is not open is changed by them too. */
export type ClosedChange = 'branch_session' | 'rename_session' | 'set_label'

/** Opens a session where it lies. */
type Open = (session: string, options: OpenOptions) => OpenedIn

/**
 * Carries out one of those commands and lets go of the session again; emits its answer. A run that a killed process left on is
 * closed first. Fails as the session itself would, and with `session_locked` where another process holds it.
 */
export function changeClosed<Name extends ClosedChange>(
  command: CommandNamed<Name>,
  open: Open,
  opId: string | undefined,
): Observable<ResultOf<Name>>
export function changeClosed(
  command: CommandNamed<ClosedChange>,
  open: Open,
  opId: string | undefined,
): Observable<object> {
  return defer(() => {
    const { session, ...own } = command
    if (own.type === 'branch_session' && own.newFile === true) return copiedOnly(session, own.entryId, open)
    const { log } = open(session, {})
    return defer(() => changed(log, own, opId)).pipe(closedOnFailure(log))
  })
}

/** The branch of a session that anybody may hold: it is only read. */
function copiedOnly(session: string, entryId: string | null, open: Open): Observable<object> {
  const { log, store } = open(session, { readOnly: true })
  const copied$ = defer(() =>
    copyBranch({
      log,
      state: replayLog(log),
      entryId,
      create: store.create,
      ids: randomIds(),
      now: asyncScheduler.now(),
    }),
  )
  return copied$.pipe(
    mergeMap((copied) => concat(log.close(), of(copied))),
    closedOnFailure(log),
  )
}

function changed(log: SessionLog, command: SessionCommand, opId: string | undefined): Observable<object> {
  const opened = openSession({
    log,
    settings: () => ({
      model: noModel,
      provider: () => throwError(() => needsModel()),
      tools: [],
      system: '',
      thinkingLevel: 'off',
    }),
    tools: { cwd: log.header.cwd, env: {} },
    options: {},
  })
  const sent$: Observable<object> = opened.send(command, opId === undefined ? {} : { opId })
  return sent$.pipe(
    toArray(),
    mergeMap((answers) => concat(opened.close(), answers)),
  )
}

const noModel: Model = { id: 'none', provider: 'none', api: 'none', inputs: ['text'], reasoning: false }

function needsModel(): Failure {
  return new Failure('bad_request', "A summary needs the session's model; open the session with open_session first")
}
