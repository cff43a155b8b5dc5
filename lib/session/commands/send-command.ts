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
import { announceCompactionEnd, compactor } from './compact-session.ts'
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
import { rewinder } from './rewind.ts'
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
  /** Completes when nothing holds the conversation. */
  idle(): Observable<never>
  /** Refuses every later command. */
  close(): void
}

export function commandsOf({ send, run, checkLeave }: CommandSender): Pick<Session, 'send' | 'run' | 'checkLeave'> {
  return { send, run, checkLeave }
}

type Origin = { readonly opId?: string }
type SendOptions = Origin & { readonly client?: string }

/** Refused while something holds the conversation. */
const refusedWhileHeld: ReadonlySet<string> = new Set([
  'prompt',
  'continue',
  'branch_session',
  'undo',
  'user_bash',
  'compact',
  'context_edit',
])

export function commandSender(options: SenderOptions): CommandSender {
  const { core, log, pipeline } = options
  const once$ = idempotentCommands(options)
  const compaction = compactor(options)
  const closed$ = new Subject<void>()
  const aborted$ = new Subject<void>()
  let isClosed = false

  const checkOpen = (command: SessionCommand): void => {
    checkShape(command, log)
    if (isClosed) throw closedFailure()
    if (log.readOnly !== undefined) throw log.readOnly
    pipeline.recover()
  }
  const checkHeld = ({ type }: SessionCommand): void => {
    if (refusedWhileHeld.has(type)) core.hold.check()
  }
  const check = (command: SessionCommand): void => {
    checkOpen(command)
    checkHeld(command)
  }
  const ends = endsOf(closed$, aborted$)
  const parts = { files: rewinder(options), compaction, check, abortStarts: () => aborted$.next(), ...ends }
  const dispatch$ = commandDispatcher(options, parts)
  const send = (command: SessionCommand, { client, ...origin }: SendOptions = {}): Observable<object> => {
    const { opId } = origin
    const act = (): Observable<object> => {
      checkHeld(command) // not for one that is repeated: it may be the holder, or have acted before
      return dispatch$(command, origin, client)
    }
    const answer$ = new ReplaySubject<object>(1)
    defer(() => {
      checkOpen(command)
      return opId === undefined ? act() : once$(command, opId, act)
    }).subscribe(answer$)
    return new Observable((subscriber) => answer$.subscribe(subscriber))
  }
  return {
    idle: core.hold.free,
    checkLeave: (step) => callLeaveHook({ hooks: core.parts.options.hooks, closed$: ends.refused$ }, step),
    run: promptRunner({ ...options, check, closed$: ends.refused$, starting$: ends.starting$ }),
    send: send as Session['send'], // the compiler cannot link a command's name to its result here
    close: () => {
      isClosed = true
      closed$.next()
      compaction.cancel()
    },
  }
}

interface CommandParts extends CommandEnds {
  readonly files: Rewinder
  readonly compaction: Compactor
  check(command: SessionCommand): void
  /** Cancels the commands whose run has not started yet. */
  abortStarts(): void
}

/** Each command acts in the call itself, or when its hook has answered. */
function commandDispatcher(
  options: SenderOptions,
  parts: CommandParts,
): (command: SessionCommand, origin: Origin, client: string | undefined) => Observable<object> {
  const { files, compaction, check, refused$, starting$ } = parts
  const start = { ...options, closed$: starting$ }
  const expansion = expansionOf({ ...options, closed$: refused$ })
  const startExpansion = expansionOf(start)
  const hooked = { hooks: options.core.parts.options.hooks, closed$: refused$ }
  const announceEnd$ = announceCompactionEnd(options.pipeline)
  return (command, origin, client) => {
    switch (command.type) {
      case 'prompt':
        return runOrSend(expansion, command, (sent) =>
          requireModel(start, () => {
            checkFree(options, sent)
            return expandInput(sent, startExpansion, (input) => startPrompt(options, sent, input, origin), handled$)
          }),
        )
      case 'steer':
        return expandInput(command, expansion, (input) => enqueue(options, 'steering', input, origin))
      case 'follow_up':
        return expandInput(command, expansion, (input) => enqueue(options, 'followUp', input, origin))
      case 'edit_queued':
        return expandInput(command, expansion, (input) => editQueued(options, command, input, origin))
      case 'abort':
        return abort(options, parts)
      case 'compact':
        return requireModel(start, () => compaction.compact(command, origin).pipe(announceEnd$))
      case 'continue':
        return requireModel(start, () => startContinuation(options, command, origin))
      case 'user_bash':
        return runHooked(hooked, command, (sent, own) => runUserCommand(options, sent, origin, own))
      case 'kill_job':
        return options.core.jobs?.end(command.jobId) ?? options.core.userCommands.kill(command.jobId)
      case 'ui_response':
        return options.core.requests.respond(command, origin, client)
      case 'undo':
      case 'branch_session':
        return runAfterLeaveHook(hooked, command, {
          check,
          act: () =>
            mayRestoreFiles(command) ? files.rewind(command, origin) : applyChange(options, command, origin, refused$),
        })
      default:
        return applyChange(options, command, origin, refused$)
    }
  }
}

/** Checked again, because a hook may have taken time. */
function runUserCommand(
  { core: { hold, userCommands } }: SenderOptions,
  ...call: Parameters<SessionCore['userCommands']['run']>
): Observable<object> {
  hold.check()
  return userCommands.run(...call)
}

function abort(
  { pipeline, core }: SenderOptions,
  { compaction, abortStarts }: Pick<CommandParts, 'compaction' | 'abortStarts'>,
): Observable<object> {
  const result = core.hold.holder === 'compaction' ? { compaction: true } : {}
  abortStarts()
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

/** Both never emit. */
interface CommandEnds {
  /** Fails when the session is closed: while a model is resolved, or summarises. */
  readonly refused$: Observable<never>
  /** Fails at an `abort`, too: for a command that is to start a run. */
  readonly starting$: Observable<never>
}

function endsOf(closed$: Observable<void>, aborted$: Observable<void>): CommandEnds {
  const refused$ = closed$.pipe(mergeMap(() => throwError(() => closedFailure())))
  return { refused$, starting$: merge(refused$, aborted$.pipe(mergeMap(() => throwError(() => abortedFailure())))) }
}

function abortedFailure(): Failure {
  return new Failure('cancelled', 'An abort came before the run had started')
}

function applyChange(
  options: SenderOptions,
  command: Parameters<typeof changeSession>[0],
  origin: Origin,
  refused$: CommandEnds['refused$'],
): Observable<object> {
  const { core, pipeline } = options
  const now = () => ({ core, state: pipeline.state$.value, isRunning: core.activeRun.running !== undefined, ...origin })
  const changed$ =
    command.type === 'branch_session' && command.summarise === true
      ? summariseBranch(command, now, (event) => pipeline.publish({ event }))
      : changeSession(command, now())
  return merge(changed$, refused$).pipe(
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
