// Runs a session's commands; a response comes when its events are on the disk.
import {
  Observable,
  ReplaySubject,
  Subject,
  concat,
  defer,
  ignoreElements,
  merge,
  mergeMap,
  of,
  take,
  throwError,
} from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { respondWhenWritten } from '../pipeline/respond-when-durable.ts'
import { announceCompactionEnd, compactingFailure, compactor } from './compact-session.ts'
import type { Compactor } from './compact-session.ts'
import { changeSession } from './change-session.ts'
import { checkShape } from './validate-input.ts'
import { isEndOf } from '../runs/run-starter.ts'
import { expandInput, expansionOf } from './expand-input.ts'
import { editQueued, enqueue } from './queue-input.ts'
import { handled$, runOrSend } from './run-extension-command.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { summariseBranch } from './summarise-branch.ts'
import { idempotentCommands } from './idempotency.ts'
import { promptRunner } from './run-prompt.ts'
import { callLeaveHook, runAfterLeaveHook, runHooked } from './call-command-hooks.ts'
import { mayRestoreFiles } from './files-at-entry.ts'
import { rewinder, restoringFailure } from './rewind.ts'
import type { Rewinder } from './rewind.ts'
import { requireModel } from './require-model.ts'
import { checkFree, startContinuation, startPrompt } from './start-run.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { Session, SessionCommand } from '../contract/session.ts'

export interface SenderOptions {
  readonly core: SessionCore
  readonly log: SessionLog
  readonly pipeline: Pipeline
  readonly starter: RunStarter
}

export interface CommandSender {
  readonly send: Session['send']
  readonly run: Session['run']
  readonly checkLeave: NonNullable<Session['checkLeave']>
  /** Completes when no files are being restored, and nothing is compacted. */
  idle(): Observable<never>
  /** Refuses every later command. */
  close(): void
}

export function commandsOf({ send, run, checkLeave }: CommandSender): Pick<Session, 'send' | 'run' | 'checkLeave'> {
  return { send, run, checkLeave }
}

type Origin = { readonly opId?: string }
type SendOptions = Origin & { readonly client?: string }

/** Refused while files are being restored, or the conversation is compacted. */
const refusedDuringRestore: ReadonlySet<string> = new Set([
  'prompt',
  'continue',
  'branch_session',
  'undo',
  'user_bash',
  'compact',
  'context_edit',
])

export function commandSender(options: SenderOptions): CommandSender {
  const { log, pipeline } = options
  const once$ = idempotentCommands(options)
  const files = rewinder(options)
  const compaction = compactor(options)
  const closed$ = new Subject<void>()
  let isClosed = false

  const check = (command: SessionCommand): void => {
    checkShape(command, log)
    if (isClosed) throw closedFailure()
    if (files.isOn && refusedDuringRestore.has(command.type)) throw restoringFailure()
    if (compaction.isOn && refusedDuringRestore.has(command.type)) throw compactingFailure()
    if (log.readOnly !== undefined) throw log.readOnly
    pipeline.recover()
  }
  const dispatch$ = commandDispatcher(options, { files, compaction, check }, closed$)
  const send = (command: SessionCommand, { client, ...origin }: SendOptions = {}): Observable<object> => {
    const { opId } = origin
    const act = (): Observable<object> => dispatch$(command, origin, client)
    const answer$ = new ReplaySubject<object>(1)
    defer(() => {
      check(command)
      return opId === undefined ? act() : once$(command, opId, act)
    }).subscribe(answer$)
    return new Observable((subscriber) => answer$.subscribe(subscriber))
  }
  return {
    idle: () => concat(files.idle(), compaction.idle()),
    checkLeave: (step) => callLeaveHook({ hooks: options.core.parts.options.hooks, closed$: refusalOf(closed$) }, step),
    run: promptRunner({ ...options, check, closed$: refusalOf(closed$) }),
    send: send as Session['send'], // the compiler cannot link a command's name to its result here
    close: () => {
      isClosed = true
      closed$.next()
      compaction.cancel()
    },
  }
}

interface CommandParts {
  readonly files: Rewinder
  readonly compaction: Compactor
  check(command: SessionCommand): void
}

/** Each command acts in the call itself, or when its hook has answered. */
function commandDispatcher(
  options: SenderOptions,
  { files, compaction, check }: CommandParts,
  closed$: Observable<void>,
): (command: SessionCommand, origin: Origin, client: string | undefined) => Observable<object> {
  const need = { ...options, closed$: refusalOf(closed$) }
  const expansion = expansionOf(need)
  const hooked = { hooks: options.core.parts.options.hooks, closed$: need.closed$ }
  const announceEnd$ = announceCompactionEnd(options.pipeline)
  return (command, origin, client) => {
    switch (command.type) {
      case 'prompt':
        return runOrSend(expansion, command, (sent) =>
          requireModel(need, () => {
            checkFree(options, sent)
            return expandInput(sent, expansion, (input) => startPrompt(options, sent, input, origin), handled$)
          }),
        )
      case 'steer':
        return expandInput(command, expansion, (input) => enqueue(options, 'steering', input, origin))
      case 'follow_up':
        return expandInput(command, expansion, (input) => enqueue(options, 'followUp', input, origin))
      case 'edit_queued':
        return expandInput(command, expansion, (input) => editQueued(options, command, input, origin))
      case 'abort':
        return abort(options, compaction)
      case 'compact':
        return requireModel(need, () => compaction.compact(command, origin).pipe(announceEnd$))
      case 'continue':
        return requireModel(need, () => startContinuation(options, command, origin))
      case 'user_bash':
        return runHooked(hooked, command, (sent, own) => options.core.userCommands.run(sent, origin, own))
      case 'kill_job':
        return options.core.jobs?.end(command.jobId) ?? options.core.userCommands.kill(command.jobId)
      case 'ui_response':
        return options.core.requests.respond(command, origin, client)
      case 'undo':
      case 'branch_session':
        return runAfterLeaveHook(hooked, command, {
          check,
          act: () =>
            mayRestoreFiles(command) ? files.rewind(command, origin) : applyChange(options, command, origin, closed$),
        })
      default:
        return applyChange(options, command, origin, closed$)
    }
  }
}

function abort({ pipeline, core }: SenderOptions, compaction: Compactor): Observable<object> {
  const result = compaction.isOn ? { compaction: true } : {}
  compaction.cancel()
  const current = core.activeRun.unsettled
  if (current === undefined) return of(result)
  const settled$ = pipeline.next(isEndOf(current))
  current.stop.stop('aborted')
  return concat(settled$.pipe(ignoreElements()), of(result))
}

function closedFailure(): Failure {
  return new Failure('unknown_session', 'The session was closed; open it again')
}

/** Fails when the session is closed: while a model is resolved, or summarises. */
function refusalOf(closed$: Observable<void>): Observable<never> {
  return closed$.pipe(mergeMap(() => throwError(() => closedFailure())))
}

function applyChange(
  options: SenderOptions,
  command: Parameters<typeof changeSession>[0],
  origin: Origin,
  closed$: Observable<void>,
): Observable<object> {
  const { core, pipeline } = options
  const now = () => ({ core, state: pipeline.state$.value, isRunning: core.activeRun.running !== undefined, ...origin })
  const changed$ =
    command.type === 'branch_session' && command.summarise === true
      ? summariseBranch(command, now, (event) => pipeline.publish({ event }))
      : changeSession(command, now())
  return merge(changed$, refusalOf(closed$)).pipe(
    take(1),
    mergeMap(({ events, result }) =>
      respondWhenWritten(
        options,
        events.map((event) => ({ event, ...origin })),
        result,
      ),
    ),
  )
}
