// Opens a session on its log: wires pipeline, runs, commands, questions and recovery.
import { EMPTY, catchError, concat, defer, takeUntil, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { shareOnce } from '../../streams/rx/share-once.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import { checkLimits } from '../commands/validate-input.ts'
import { saveStateSnapshot } from '../recovery/state-snapshot.ts'
import { offerTools, publishLayerChanges } from '../tools/offer-tools.ts'
import { createPipeline } from '../pipeline/pipeline.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { everySecond$ } from '../pipeline/retry-writes.ts'
import { validateQuestion } from '../questions/check-request.ts'
import { recoverLog } from '../recovery/recover-log.ts'
import { replayLog } from '../recovery/replay-log.ts'
import { runStarter } from '../runs/run-starter.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import { commandSender, commandsOf } from '../commands/send-command.ts'
import type { CommandSender } from '../commands/send-command.ts'
import { sessionCore } from '../runs/session-core.ts'
import { requestReaders } from '../runs/next-request.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import { addListener, sessionReaders } from '../pipeline/session-readers.ts'
import type { Session } from '../contract/session.ts'
import { connectExtensions } from '../extensions/connect-extensions.ts'
import { offeredParts } from '../extensions/offered-parts.ts'
import { withExtensions } from '../extensions/with-extensions.ts'
import { isVerified, verifyHistory } from '../recovery/lazy-history.ts'

/**
 * Folds the log, closes a run that a killed process left on, and continues the conversation at its head.
 * @throws Failure `storage` if the end of that run cannot be written
 */
export function openSession(base: SessionParts): Session {
  const { extensions } = base
  const parts = extensions === undefined ? base : withExtensions(base, extensions)
  const wired = wireSession(parts)
  const session = sessionOf(parts, wired)
  if (extensions !== undefined) connectExtensions(extensions, session, wired)
  parts.servers?.attach(session, wired)
  return session
}

function sessionOf(parts: SessionParts, wired: ReturnType<typeof wireSession>): Session {
  const { log } = parts
  const { core, initial, pipeline, sender, close$ } = wired
  return {
    id: log.header.id,
    header: log.header,
    headerLine: log.headerLine,
    get model() {
      return core.settings.current().model
    },
    get unusable() {
      return core.settings.unusable()
    },
    get thinkingLevel() {
      return core.settings.current().thinkingLevel
    },
    get activeTools() {
      return core.settings.active()
    },
    get approvalMode() {
      return core.settings.approvalMode()
    },
    get scenario() {
      return core.scenario.status()
    },
    scenarios: parts.options.scenarios,
    get registeredTools() {
      return core.settings.registered()
    },
    commands: parts.options.commands,
    findResources: parts.servers?.findResources,
    get isVerified() {
      return isVerified(initial)
    },
    get readOnly() {
      return log.readOnly
    },
    state$: pipeline.state$,
    ...sessionReaders(log, pipeline),
    ...commandsOf(sender),
    ...questionsOf(core),
    ...offersOf(log, core, pipeline),
    listen: (listener) => addListener(pipeline, listener),
    jobs: core.jobReader,
    ...offeredParts(parts),
    ...requestReaders(core, pipeline),
    stop: stopOf(core),
    close: () => close$,
  }
}

function offersOf(
  log: SessionLog,
  { settings, fileOffers, terminalOffers }: SessionCore,
  pipeline: Pipeline,
): Pick<Session, 'offer' | 'offerFiles' | 'offerTerminals'> {
  return {
    offer: offerTools({ log, settings, pipeline }),
    offerFiles: fileOffers.offer,
    offerTerminals: terminalOffers.offer,
  }
}

function questionsOf({ requests }: SessionCore): Pick<Session, 'ask' | 'answering$' | 'answeringQuestions$'> {
  return {
    ask: ({ source = 'host', ...question }) => defer(() => requests.ask({ ...validateQuestion(question), source })),
    answering$: requests.answering$,
    answeringQuestions$: requests.answeringQuestions$,
  }
}

function wireSession(parts: SessionParts) {
  const { log, options, warnings = [], writeRetry$ = everySecond$ } = parts
  const ids = options.ids ?? randomIds()
  checkLimits(options.limits)
  const initial = recoverLog({ ...parts, state: parts.initial ?? replayLog(log), ids, warnings })
  const pipeline = createPipeline({ log: parts.writer ?? log, head: log.head, initial, writeRetry$ })
  const core = sessionCore({ parts, initial, ids, pipeline })
  publishMode(core, initial, pipeline)
  const starter = runStarter(core, pipeline)
  const life = parts.scope ?? scope()
  for (const part of [pipeline, starter, core.toolList]) life.onEnd(part.close)
  publishLayerChanges({ ...core, log, pipeline })
  life.onEnd(() => parts.contextNotes?.close())
  const sender = commandSender({ core, log, pipeline, starter })
  if (log.readOnly === undefined) proposePlanAgain(core, pipeline, sender, life)
  const saveSnapshot = saveSnapshots({ log, initial, pipeline, starter, life })
  const close$ = closeOnce({ core, pipeline, starter, sender, life, saveSnapshot })
  return { core, initial, pipeline, sender, close$, life }
}

/** A person still decides about a plan that was open when the process ended; the answer starts a run. */
function proposePlanAgain(
  { proposeAgain }: SessionCore,
  { publish }: Pipeline,
  { send }: CommandSender,
  life: Scope,
): void {
  proposeAgain((text) => send({ type: 'prompt', text, expand: false }))
    ?.pipe(life.bind())
    .subscribe((event) => publish({ event }))
}

/** The mode of the log is not taken over if it is looser: the log then says so. */
function publishMode(
  { settings, parts: { log } }: SessionCore,
  { approvalMode: from }: SessionState,
  { publish }: Pick<Pipeline, 'publish'>,
): void {
  const to = settings.approvalMode()
  if (to === undefined || from === undefined || from === to || log.readOnly !== undefined) return
  publish({ event: { type: 'approval_mode_change', from, to, by: 'server' } })
}

function stopOf({ activeRun, userCommands, jobs }: SessionCore): Session['stop'] {
  return (reason) => {
    activeRun.unsettled?.stop.stop(reason)
    userCommands.close()
    jobs?.close()
  }
}

interface SnapshotParts extends Pick<Closing, 'pipeline' | 'starter' | 'life'> {
  readonly log: SessionLog
  readonly initial: SessionState
}

/** Verifies the lines that opening skipped, and saves a snapshot whenever a run has settled. Returns what saves the last one. */
function saveSnapshots({ log, initial, pipeline, starter, life }: SnapshotParts): () => void {
  verifyHistory({ log, initial, pipeline, starter })
    .pipe(
      catchError(() => EMPTY), // the log takes no lines: a `status` has said so
      life.bind(),
    )
    .subscribe()
  const saveWhenSettled = (): void => {
    pipeline
      .next(({ event }) => event.type === 'agent_settled')
      .subscribe({
        next: () => saveStateSnapshot(log, pipeline.state$.value, 'settled'),
        complete: saveWhenSettled,
        error: saveWhenSettled, // a later retry writes it
      })
  }
  saveWhenSettled()
  return () => saveStateSnapshot(log, pipeline.state$.value, 'closing')
}

/** Milliseconds that a session's end waits for `beforeEnd$`. */
const longestEndMs = 10_000

interface Closing {
  readonly core: SessionCore
  readonly pipeline: Pipeline
  readonly starter: RunStarter
  readonly sender: CommandSender
  readonly life: Scope
  saveSnapshot(): void
}

/** The first subscriber closes; all wait for the end. A full disk does not hold it up: its failure comes at the end. */
function closeOnce({ core, pipeline, starter, sender, life, saveSnapshot }: Closing): Observable<never> {
  const { parts, requests, userCommands, jobs, activeRun } = core
  const failures: Failure[] = []
  const collect$ = (error: unknown): Observable<never> => {
    failures.push(Failure.from(error, 'storage'))
    return EMPTY
  }
  return defer(() => {
    sender.close()
    requests.close()
    userCommands.close()
    jobs?.close()
    activeRun.unsettled?.stop.stop('server_shutdown')
    return concat(
      starter.idle(),
      userCommands.idle(),
      jobs?.idle() ?? EMPTY,
      sender.idle(),
      pipeline.handled(),
      (parts.beforeEnd$ ?? EMPTY).pipe(takeUntil(timer(longestEndMs)), catchError(collect$)),
      run$(pipeline.recover).pipe(catchError(collect$)),
      run$(saveSnapshot).pipe(catchError(collect$)),
      defer(() => parts.log.close()).pipe(catchError(collect$)), // a log may close in the call itself
      run$(life.end),
      defer(() => (failures[0] === undefined ? EMPTY : throwError(() => failures[0]))),
    )
  }).pipe(shareOnce())
}

/** Calls `act` on subscription, and completes. */
function run$(act: () => void): Observable<never> {
  return defer(() => {
    act()
    return EMPTY
  })
}
