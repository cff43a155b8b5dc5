// Serves one client: sends hello, answers each request once, and sends the frames of its attachments.
import {
  EMPTY,
  Subject,
  catchError,
  concat,
  defer,
  delay,
  finalize,
  identity,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  take,
  takeUntil,
  tap,
  throwError,
  throwIfEmpty,
  timeout,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { Command, CommandType, RequestEnvelope } from '../../streams/commands/command.ts'
import { refusedCommand } from '../../services/backend/machine-commands.ts'
import { Failure } from '../../streams/values/failure.ts'
import { attachments } from './attachments.ts'
import { boundedCalls } from '../protocol/bounded-calls.ts'
import { channelCalls } from '../client-tools/channel-calls.ts'
import { clientScreens } from './client-screens.ts'
import { clientIdentity } from './ui-availability.ts'
import { handlers, sessionCommands } from './dispatch.ts'
import type { Answer, ClientContext, RequestContext, ServerContext } from './request-context.ts'
import { errorFrame, okFrame } from '../protocol/frame.ts'
import { joinedSessions } from '../feed/client-presence.ts'
import type { Pressure } from '../feed/feed.ts'
import { clientToolRegistry } from '../client-tools/register-client-tools.ts'
import { serialiseReads } from './serialise-reads.ts'
import { readRequest } from '../protocol/read-request.ts'
import { sendLines } from '../protocol/transport.ts'
import type { Transport } from '../protocol/transport.ts'

/** Limit of a connection's unanswered requests that no session counts. */
const unansweredLimit = 1_000

/**
 * Milliseconds after the last line in which a prompt is answered: it may name a command of an extension that never ends. The others
 * have limits of their own.
 */
const promptAfterEndMs = 30_000

/**
 * Cold. When the lines end, attachments end, pending requests are still answered, and it completes. It fails if the
 * lines fail, or if the log of an attached session cannot be read. Unsubscribing ends all requests, never a run. The
 * transport stays open.
 */
export function connection(transport: Transport, server: ServerContext): Observable<never> {
  return defer(() => {
    const client = connectClient(transport)
    transport.send(server.hello)
    return transport.lines$.pipe(
      tap({ complete: client.endInput }),
      mergeMap((line) => {
        const read = readRequest(line)
        if (!read.ok) return of(errorFrame(read.id, read.failure))
        return client.answer(read.envelope, read.command, server)
      }),
      tap(client.send),
      finalize(client.leave),
      ignoreElements(),
      takeUntil(client.failed$),
    )
  })
}

interface ConnectedClient extends ClientContext {
  /** Never emits; fails if an attachment fails. */
  readonly failed$: Observable<never>
  /** No line follows: ends all attachments. */
  endInput(): void
  /** Sends a response; the lines that wait for the end of the tick are sent before it. */
  send(frame: string): void
  /** Ends all attachments and leaves every session. */
  leave(): void
  answer(envelope: RequestEnvelope, command: Command, server: ServerContext): Observable<string>
}

function connectClient(transport: Transport): ConnectedClient {
  const pending = pendingRequests()
  const attached = attachments((batch) => sendLines(transport, batch))
  const pressure = createPressure(transport)
  const sessions = joinedSessions()
  const calls = boundedCalls(unansweredLimit, 'This connection')
  const reads = serialiseReads(pressure)
  const inputEnd$ = new Subject<void>()
  const overdue$ = overdueAfter(inputEnd$)
  const client: ConnectedClient = {
    ...createClientState((frame) => client.send(frame)),
    pressure,
    screens: clientScreens(pressure),
    send: (frame) => {
      for (const flush of pressure.flushes) flush()
      transport.send(frame)
    },
    join: sessions.join,
    hasJoined: sessions.has,
    leave: () => {
      attached.endAll()
      sessions.leaveAll()
    },
    detach: (session) => {
      pending.cancelAttaching(session)
      attached.end(session)
      sessions.detach(session)
    },
    endInput: () => {
      attached.endAll()
      inputEnd$.next()
    },
    endAttachment: attached.end,
    beginAttachment: attached.begin,
    failed$: attached.failed$,
    cancel: pending.cancel,
    answer: (envelope, command, server) => {
      const work$ = defer(() => runHandler(command, { ...server, client, opId: envelope.opId }))
      const counted$ = isCountedBySession(command.type) ? work$ : calls.bound(reads.bound(command.type, work$))
      const late$ = command.type === 'prompt' ? overdue$ : EMPTY
      return answerRequest(
        envelope,
        pending.begin(envelope.id, command),
        merge(runToOutcome(counted$, envelope), late$),
      )
    },
  }
  return client
}

/** The frames of the first outcome, or of the cancellation. */
function answerRequest(
  { id }: RequestEnvelope,
  { cancelled$, forget }: PendingRequest,
  outcome$: Observable<Outcome>,
): Observable<string> {
  return merge(cancelled$.pipe(map(() => failedOutcome(cancelledFailure(id)))), outcome$).pipe(
    take(1),
    tap(forget), // before the response: an answered request cannot be cancelled
    finalize(forget),
    mergeMap((outcome) => responseFrames(id, outcome)),
  )
}

interface PendingRequest {
  readonly cancelled$: Observable<void>
  forget(): void
}

/** Requests without an answer, and how to cancel them. */
function pendingRequests() {
  const byId = new Map<string, Subject<void>>()
  const attaching = new Map<Subject<void>, string>() // → session
  return {
    begin: (id: string, command: Command): PendingRequest => {
      const cancelled$ = new Subject<void>()
      byId.set(id, cancelled$)
      if (command.type === 'attach') attaching.set(cancelled$, command.session)
      const forget = (): void => {
        attaching.delete(cancelled$)
        // a client that reuses the id has another request pending under it
        if (byId.get(id) === cancelled$) byId.delete(id)
      }
      return { cancelled$, forget }
    },
    cancel: (id: string): boolean => {
      const cancelled$ = byId.get(id)
      cancelled$?.next()
      return cancelled$ !== undefined
    },
    /** Cancels the pending `attach` requests of a session that the client detaches from. */
    cancelAttaching: (session: string): void => {
      for (const [cancelled$, to] of attaching) if (to === session) cancelled$.next()
    },
  }
}

function createPressure({ unsent, drained$, sendAll }: Transport): Pressure {
  return { unsent, drained$, takesBatches: sendAll !== undefined, flushes: new Set() }
}

function createClientState(send: (frame: string) => void): Pick<ClientContext, 'identity' | 'calls' | 'clientTools'> {
  const identity = clientIdentity()
  const calls = channelCalls(send)
  return { identity, calls, clientTools: clientToolRegistry(calls, () => identity.name) }
}

/**
 * A session counts its own commands. `cancel` is never refused: a client with too many requests must be able to cancel.
 */
function isCountedBySession(type: CommandType): boolean {
  return type === 'cancel' || Object.hasOwn(sessionCommands, type)
}

type Outcome = Answer | { readonly failure: Failure }

function failedOutcome(failure: Failure): Outcome {
  return { failure }
}

function runToOutcome(work$: Observable<Answer>, { timeoutMs = 0, type }: RequestEnvelope): Observable<Outcome> {
  const late$ = throwError(
    () => new Failure('timeout', `${type} was not answered within ${timeoutMs} ms; what it began goes on`),
  )
  return work$.pipe(
    timeoutMs === 0 ? identity : timeout({ first: timeoutMs, with: () => late$ }),
    throwIfEmpty(() => new Failure('internal', `${type} was not answered`)),
    catchError((error: unknown) => of(failedOutcome(Failure.from(error)))),
  )
}

function responseFrames(id: string, outcome: Outcome): Observable<string> {
  if ('failure' in outcome) return of(errorFrame(id, outcome.failure))
  return concat(of(okFrame(id, outcome.result)), outcome.then$ ?? EMPTY)
}

type AnyHandler = (command: Command, context: RequestContext) => Observable<Answer>

function runHandler(command: Command, context: RequestContext): Observable<Answer> {
  if (context.refused?.has(command.type) === true) return throwError(() => refusedCommand(command.type))
  return (handlers[command.type] as AnyHandler)(command, context) // `handlers` is keyed by the command's type
}

function overdueAfter(inputEnd$: Observable<void>): Observable<Outcome> {
  return inputEnd$.pipe(
    delay(promptAfterEndMs),
    map(() => failedOutcome(overdueFailure())),
  )
}

function overdueFailure(): Failure {
  return new Failure(
    'timeout',
    `The prompt was not answered within ${promptAfterEndMs / 1_000} s after the end of the input`,
  )
}

function cancelledFailure(id: string): Failure {
  return new Failure('cancelled', `Request "${id}" was cancelled; what it began goes on`)
}
