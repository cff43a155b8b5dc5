// Where everything meets: one log, one pipeline, one run at a time, and commands that act at once.
import { EMPTY, catchError, concat, defer, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { queues } from '../../operators/run/queues.ts'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { checkLimits } from '../commands/validate-input.ts'
import { sessionConversation } from '../runs/session-core.ts'
import { keepSession } from '../recovery/state-snapshot.ts'
import { offerTools } from '../runs/session-settings.ts'
import { pipeline } from '../pipeline/pipeline.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { asked } from '../questions/validate-question.ts'
import { recoverLog } from '../recovery/recover-log.ts'
import { replayLog } from '../recovery/replay-log.ts'
import { runStarter } from '../runs/run-starter.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import { commandSender } from '../commands/send-command.ts'
import type { CommandSender } from '../commands/send-command.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import { listening } from '../pipeline/add-listener.ts'
import { sessionSettings } from '../runs/session-settings.ts'
import { sessionReaders } from '../pipeline/session-readers.ts'
import type { Session } from '../contract/session.ts'
import { uiRequests } from '../questions/ui-requests.ts'
import type { UiRequests } from '../questions/ui-requests.ts'
import { userCommands } from '../runs/user-commands.ts'
import type { UserCommands } from '../runs/user-commands.ts'
import { isVerified, watchEarlier } from '../recovery/verify-history.ts'

/**
 * Opens a session on its log: what the log holds is folded, a run that a killed process left on is closed, and the transcript
 * goes on at its head. @throws Failure `storage` where that end cannot be written
 */
export function openSession(parts: SessionParts): Session {
  const { log, options, warnings = [] } = parts
  const ids = options.ids ?? randomIds()
  checkLimits(options.limits)
  const initial = recoverLog({ log, state: parts.initial ?? replayLog(log), ids, warnings })
  const requests = uiRequests({ ids, log, pipeline: () => events, running: () => starter.unsettled() })
  const conversation = sessionConversation(initial, ids)
  const later = { pipeline: () => events, isRunning: () => starter.running() !== undefined }
  const commands = userCommands({ ids, conversation, userShell: parts.userShell, ...later })
  const core: SessionCore = { ...coreOf(parts, initial), ids, conversation, userCommands: commands, requests }
  const events = pipeline({ log, initial, failed: (failure) => starter.running()?.stop.stop('error', failure) })
  const starter = runStarter(core, events)
  const life = parts.scope ?? scope()
  life.onEnd(events.close)
  life.onEnd(starter.close)
  const sender = commandSender({ core, log, pipeline: events, starter })
  const keep = keeping({ log, initial, events, starter, life })
  const closing$ = closeOnce({ log, events, starter, sender, requests, commands, life, keep })
  return {
    id: log.header.id,
    header: log.header,
    headerLine: log.headerLine,
    get model() {
      return core.settings.current().model
    },
    get thinkingLevel() {
      return core.settings.current().thinkingLevel
    },
    get activeTools() {
      return core.settings.current().tools
    },
    get registeredTools() {
      return core.settings.registered()
    },
    get isVerified() {
      return isVerified(initial)
    },
    state$: events.state$,
    ...sessionReaders(log, events),
    send: sender.send,
    ...asking(requests),
    offer: offerTools({ log, settings: core.settings, pipeline: events }),
    listen: (listener) => listening(events, listener),
    stop: (reason) => {
      starter.unsettled()?.stop.stop(reason)
      commands.close()
    },
    close: () => closing$,
  }
}

function coreOf(parts: SessionParts, initial: SessionState): Pick<SessionCore, 'parts' | 'queues' | 'settings'> {
  const modes = { ...initial.queueModes, ...parts.options.queueModes }
  return { parts, queues: queues(initial.queue, modes), settings: sessionSettings(parts) }
}

/** Checks what opening did not look at, and keeps the session beside its log when a run has settled; what is given back keeps it at its end. */
function keeping({ log, initial, events, starter, life }: Kept): () => void {
  watchEarlier({ log, initial, pipeline: events, starter })
    .pipe(
      catchError(() => EMPTY), // the log takes nothing: it is told already
      life.bind(),
    )
    .subscribe()
  const keepWhenSettled = (): void => {
    events
      .next(({ event }) => event.type === 'agent_settled')
      .subscribe({
        next: () => keepSession(log, events.state$.value, 'settled'),
        complete: keepWhenSettled,
        error: keepWhenSettled, // it will be written when there is space again
      })
  }
  keepWhenSettled() // a subscriber of `records$` would be paid at each delta
  return () => keepSession(log, events.state$.value, 'closing')
}

interface Kept extends Pick<Closing, 'log' | 'events' | 'starter' | 'life'> {
  readonly initial: SessionState
}

function asking({ ask, answering$ }: UiRequests): Pick<Session, 'ask' | 'answering$'> {
  const asHost$: Session['ask'] = ({ source = 'host', ...question }) => defer(() => ask({ ...asked(question), source }))
  return { ask: asHost$, answering$ }
}

interface Closing {
  readonly log: SessionLog
  readonly events: Pipeline
  readonly starter: RunStarter
  readonly sender: CommandSender
  readonly requests: Pick<UiRequests, 'close'>
  readonly commands: Pick<UserCommands, 'close' | 'idle'>
  readonly life: Scope
  keep(): void
}

/** Whoever asks first closes; all are told when it is done. A full disk does not keep the session open: it is told at the end. */
function closeOnce({ log, events, starter, sender, requests, commands, life, keep }: Closing): Observable<never> {
  const lost: Failure[] = []
  return defer(() => {
    sender.close()
    requests.close()
    commands.close()
    starter.unsettled()?.stop.stop('server_shutdown')
    return concat(
      starter.idle(),
      commands.idle(),
      sender.idle(),
      events.handled(),
      defer(() => attempt(events.recover)).pipe(catchError(keptIn(lost))),
      defer(() => attempt(keep)).pipe(catchError(keptIn(lost))),
      defer(() => log.close()).pipe(catchError(keptIn(lost))), // a log may close in the call itself
      defer(() => attempt(life.end)),
      defer(() => (lost[0] === undefined ? EMPTY : throwError(() => lost[0]))),
    )
  }).pipe(shareOnce())
}

function keptIn(failures: Failure[]): (error: unknown) => Observable<never> {
  return (error) => {
    failures.push(Failure.from(error, 'storage'))
    return EMPTY
  }
}

function attempt(act: () => void): Observable<never> {
  act()
  return EMPTY
}
