// One client: hello first, then exactly one response a request, whatever the line was, and the frames of what it attached to.
import {
  EMPTY,
  Subject,
  catchError,
  concat,
  defer,
  finalize,
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
import { Failure } from '../../streams/values/failure.ts'
import { attachments } from './attachments.ts'
import { boundedCalls } from '../protocol/bounded-calls.ts'
import { channelCalls } from '../client-tools/channel-calls.ts'
import { clientIdentity } from './client-identity.ts'
import { handlers, sessionCommands } from './dispatch.ts'
import type { Answer, ClientContext, RequestContext } from './dispatch.ts'
import { errorFrame, okFrame } from '../protocol/frame.ts'
import type { Pressure } from '../feed/feed.ts'
import { offers } from '../client-tools/offers.ts'
import { readInTurn } from './read-in-turn.ts'
import { readRequest } from '../protocol/read-request.ts'
import type { ServerContext } from './server-context.ts'
import type { Transport } from '../protocol/transport.ts'
import type { ServedSession } from '../feed/served-session.ts'

/** Unanswered requests of one connection that are not counted by their session. */
const unansweredLimit = 1_000

/**
 * Answers the lines of a client and sends it what it attached to; cold. When the lines end, attachments end, requests under
 * way are still answered, and it completes. It fails where the lines do, or where a log that a client is attached to cannot be
 * read any more. Unsubscribing ends all requests, never a run. The transport is not closed.
 */
export function connection(transport: Transport, server: ServerContext): Observable<never> {
  return defer(() => {
    const client = clientOf(transport)
    transport.send(server.hello)
    return transport.lines$.pipe(
      tap({ complete: client.detachAll }),
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
  /** Never emits; fails where an attachment does. */
  readonly failed$: Observable<never>
  detachAll(): void
  /** Sends a response behind what waits for the tick's end. */
  send(frame: string): void
  /** Of every session that it joined. */
  leave(): void
  answer(envelope: RequestEnvelope, command: Command, server: ServerContext): Observable<string>
}

function clientOf(transport: Transport): ConnectedClient {
  const waiting = waitingRequests()
  const attached = attachments(transport.send)
  const pressure = pressureOf(transport)
  const sessions = joinedSessions()
  const calls = boundedCalls(unansweredLimit, 'This connection')
  const readings = readInTurn(pressure)
  const client: ConnectedClient = {
    ...ownOf((frame) => client.send(frame)),
    pressure,
    send: (frame) => {
      for (const flush of pressure.first) flush()
      transport.send(frame)
    },
    joins: sessions.joins,
    leave: () => {
      attached.endAll()
      sessions.leave()
    },
    detach: (session) => {
      waiting.cancelAttaching(session)
      attached.end(session)
      sessions.detach(session)
    },
    detachAll: attached.endAll,
    endAttachment: attached.end,
    attached: attached.begin,
    failed$: attached.failed$,
    cancel: waiting.cancel,
    answer(envelope, command, server) {
      const { id, opId } = envelope
      const { cancelled$, forget } = waiting.begin(id, command)
      const work$ = defer(() => handle(command, { ...server, client, opId }))
      const counted$ = isCountedElsewhere(command.type) ? work$ : calls.bound(readings.bound(command.type, work$))
      const outcome$ = merge(cancelled$.pipe(map(() => failed(cancelled(id)))), answerOf(counted$, envelope))
      return outcome$.pipe(
        take(1),
        tap(forget), // before the response: what is answered cannot be cancelled any more
        finalize(forget),
        mergeMap((outcome) => frames(id, outcome)),
      )
    },
  }
  return client
}

interface WaitingRequest {
  readonly cancelled$: Observable<void>
  forget(): void
}

/** What is not answered yet, by what ends it. */
function waitingRequests() {
  const byId = new Map<string, Subject<void>>()
  const attaching = new Map<Subject<void>, string>() // to which session
  return {
    begin: (id: string, command: Command): WaitingRequest => {
      const cancelled$ = new Subject<void>()
      byId.set(id, cancelled$)
      if (command.type === 'attach') attaching.set(cancelled$, command.session)
      const forget = (): void => {
        attaching.delete(cancelled$)
        // a client that used the id again has another request waiting under it
        if (byId.get(id) === cancelled$) byId.delete(id)
      }
      return { cancelled$, forget }
    },
    cancel: (id: string): boolean => {
      const cancelled$ = byId.get(id)
      cancelled$?.next()
      return cancelled$ !== undefined
    },
    /** A client that detaches is not attached by what it asked before. */
    cancelAttaching: (session: string): void => {
      for (const [cancelled$, to] of attaching) if (to === session) cancelled$.next()
    },
  }
}

function pressureOf({ unsent, drained$, sendAll }: Transport): Pressure {
  return { unsent, drained$, first: new Set(), ...(sendAll === undefined ? {} : { sendAll }) }
}

/** What a connection has before anything is said. */
function ownOf(send: (frame: string) => void): Pick<ClientContext, 'identity' | 'calls' | 'offers'> {
  const identity = clientIdentity()
  const calls = channelCalls(send)
  return { identity, calls, offers: offers(calls, () => identity.name) }
}

/** By its session; and who has too many must be able to cancel some. */
function isCountedElsewhere(type: CommandType): boolean {
  return type === 'cancel' || Object.hasOwn(sessionCommands, type)
}

type Outcome = Answer | { readonly failure: Failure }

function failed(failure: Failure): Outcome {
  return { failure }
}

function answerOf(work$: Observable<Answer>, { timeoutMs = 0, type }: RequestEnvelope): Observable<Outcome> {
  const late$ = throwError(
    () => new Failure('timeout', `${type} was not answered within ${timeoutMs} ms; what it began goes on`),
  )
  return work$.pipe(
    timeoutMs === 0 ? unchanged : timeout({ first: timeoutMs, with: () => late$ }),
    throwIfEmpty(() => new Failure('internal', `${type} was not answered`)),
    catchError((error: unknown) => of(failed(Failure.from(error)))),
  )
}

function unchanged<Value>(value: Value): Value {
  return value
}

function frames(id: string, outcome: Outcome): Observable<string> {
  if ('failure' in outcome) return of(errorFrame(id, outcome.failure))
  return concat(of(okFrame(id, outcome.result)), outcome.then$ ?? EMPTY)
}

type AnyHandler = (command: Command, context: RequestContext) => Observable<Answer>

function handle(command: Command, context: RequestContext): Observable<Answer> {
  return (handlers[command.type] as AnyHandler)(command, context) // looked up by the command's own type
}

function cancelled(id: string): Failure {
  return new Failure('cancelled', `Request "${id}" was cancelled; what it began goes on`)
}

// The sessions that one client has opened or attached to; it is there until it detaches or its connection ends.

interface JoinedSessions {
  /** Gives the session back. After `leave` it is joined and left at once. */
  joins(served: ServedSession): ServedSession
  detach(session: string): void
  /** The connection has ended. */
  leave(): void
}

function joinedSessions(): JoinedSessions {
  const joined = new Map<string, ServedSession>()
  const client = {}
  let hasLeft = false
  return {
    joins: (served) => {
      served.presence.joined(client)
      if (hasLeft)
        served.presence.left(client) // its connection ended while the session was being opened
      else joined.set(served.session.id, served)
      return served
    },
    detach: (session) => {
      joined.get(session)?.presence.left(client)
      joined.delete(session)
    },
    leave: () => {
      hasLeft = true
      for (const { presence } of joined.values()) presence.left(client)
      joined.clear()
    },
  }
}
