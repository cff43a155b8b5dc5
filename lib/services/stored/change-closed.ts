// Runs one command on a session that is not open, without a model, and closes it again.
import { asyncScheduler, concat, defer, mergeMap, of, throwError, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { endOrphans } from '../../host/process/end-orphans.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { Model } from '../../streams/models/model.ts'
import type { OpenOptions, SessionLog } from '../../streams/ports/session-log.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { BranchToCopy } from '../../session/contract/session-parts.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { copyBranchOnce } from '../../session/create/copy-branch.ts'
import type { ClosedChange } from '../contract/server-backend.ts'
import type { OpenedIn } from './open-target.ts'
import { newFileFailure } from '../../session/commands/restore-messages.ts'
import { openSession } from '../../session/create/open-session.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'
import type { SessionCommand } from '../../session/contract/session.ts'

/** The parts that restoring files needs. */
export interface ClosedSurroundings {
  /** Names the tools that change no files. */
  readonly registry: readonly AnyTool[]
  /** Absent: files cannot be restored. */
  readonly snapshots?: Snapshots
}

/** Opens a session in its store. */
type Open = (session: string, options: OpenOptions) => OpenedIn

export interface ChangeClosedOptions {
  readonly open: Open
  /** Called for each change. */
  surroundings(): ClosedSurroundings
  readonly opId?: string | undefined
}

/**
 * Runs the command to its end, also without a subscriber, and closes the session; emits the result. First closes a run that a
 * killed process left on, and ends its processes. Fails as the session would, and with `session_locked` if another process holds it.
 */
export function changeClosed<Name extends ClosedChange>(
  command: CommandNamed<Name>,
  options: ChangeClosedOptions,
): Observable<ResultOf<Name>>
export function changeClosed(
  command: CommandNamed<ClosedChange>,
  { open, opId, surroundings }: ChangeClosedOptions,
): Observable<object> {
  return defer(() => {
    const { session, ...own } = command
    if (own.type === 'branch_session' && own.newFile === true) {
      if (own.restoreFiles === true || own.dryRun === true) throw newFileFailure()
      return copyClosedBranch(session, { entryId: own.entryId, opId }, open)
    }
    const { log } = open(session, {})
    return defer(() => runCommand(log, own, { opId, ...surroundings() })).pipe(closeOnAbandon(log))
  }).pipe(shareOnce())
}

/** Copies a branch of a session that any process may hold: it is only read. */
function copyClosedBranch(
  session: string,
  branch: Pick<BranchToCopy, 'entryId' | 'opId'>,
  open: Open,
): Observable<object> {
  const { log, store } = open(session, { readOnly: true })
  const copied$ = defer(() =>
    copyBranchOnce({
      ...branch,
      log,
      state: replayLog(log),
      store,
      ids: randomIds(),
      now: asyncScheduler.now(),
    }),
  )
  return copied$.pipe(
    mergeMap((copied) => concat(log.close(), of(copied))),
    closeOnAbandon(log),
  )
}

interface ChangeParts extends ClosedSurroundings {
  readonly opId: string | undefined
}

function runCommand(
  log: SessionLog,
  command: SessionCommand,
  { opId, registry, snapshots }: ChangeParts,
): Observable<object> {
  const opened = openSession({
    log,
    settings: () => ({
      model: noModel,
      provider: () => throwError(() => needsModel()),
      tools: [],
      system: '',
      thinkingLevel: 'off',
    }),
    registry,
    tools: { cwd: log.header.cwd, env: {} },
    endOrphans,
    options: snapshots === undefined ? {} : { snapshots },
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
