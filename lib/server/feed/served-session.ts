// One open session as its clients share it: one channel number, and each record is made into a frame once for all of them.
import { NEVER, filter } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../streams/commands/command.ts'
import { failureShape } from '../../streams/values/failure.ts'
import type { SessionHeader } from '../../streams/log/log-line.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { checkHeader } from '../../streams/validation/validators.ts'
import type { OpenedSession } from '../../services/contract/server-backend.ts'
import type { Session } from '../../session/contract/session.ts'
import { broadcast } from './broadcast.ts'
import type { Broadcast } from './broadcast.ts'
import { recordFrame } from '../protocol/frame.ts'
import { sharedFrames } from './shared-frames.ts'
import type { SharedFrames } from './shared-frames.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import type { AgentEvent } from '../../streams/events/event.ts'

export interface ServedSession {
  readonly session: Session
  /** What `attach` answers with and compact deltas carry; the same number for all clients, so that they share frames. */
  readonly channel: number
  readonly presence: Presence
  /** Line 1 of the log, its fields in their order: its JSON text is the line. */
  readonly header: SessionHeader
  /** What `new_session` and `open_session` answer with now. */
  readonly opened: ResultOf<'open_session'>
  /** Whether it is followed although nobody else writes it any more: opened again, it is written here. */
  isOutdated(): boolean
  /** Completes when the session was closed, also by itself; for most it is silent. */
  readonly over$: Observable<never>
  /** The record's frame, kept until another record is asked for. */
  frameOf(record: SessionRecord): string
  /** The same for records that are read from the log. */
  readonly logged: SharedFrames
  /** For clients that are given a tick's frames together. */
  readonly broadcast: Broadcast
}

export interface ServeOptions {
  readonly channel: number
  readonly endWithLastClient?: boolean | undefined
  /** Calls when the tick is over that began with a record; returns what takes that back. Default: see `afterThis`. */
  readonly tick?: (act: () => void, first: SessionRecord) => () => void
}

export function servedSession(
  { session, notices, readOnly, over$ = NEVER, isOutdated = () => false }: OpenedSession,
  { channel, endWithLastClient = false, tick = afterThis }: ServeOptions,
): ServedSession {
  const { id } = session
  const header = headerOf(session)
  const frameOf = onceEach((record) => recordFrame(id, channel, record))
  return {
    session,
    channel,
    presence: presence(session, endWithLastClient),
    header,
    over$,
    isOutdated,
    get opened() {
      return {
        session: id,
        header,
        model: session.model, // it may be another one than when the session was opened
        notices: [...notices],
        ...(readOnly === undefined ? {} : { readOnly: failureShape(readOnly) }),
      }
    },
    frameOf,
    logged: sharedFrames((record) => recordFrame(id, channel, record)),
    broadcast: broadcast({ records$: session.records$, frameOf, tick }),
  }
}

/** What was made of a record is kept until another one is asked for. */
function onceEach(make: (record: SessionRecord) => string): (record: SessionRecord) => string {
  let lastRecord: SessionRecord | undefined
  let lastFrame = ''
  return (record) => {
    if (record !== lastRecord) {
      lastFrame = make(record)
      lastRecord = record
    }
    return lastFrame
  }
}

/**
 * Pieces behind what Node is calling just now, which is the reading of what came from a model: a turn of the event loop costs
 * three times as much. Anything else in the next turn: by then the request that it led to has left, and who reads what is told
 * here does not take the processor from it.
 */
function afterThis(act: () => void, { event }: SessionRecord): () => void {
  if (event.type !== 'message_update') {
    const turn = setImmediate(act)
    return () => {
      clearImmediate(turn)
    }
  }
  let isTakenBack = false
  process.nextTick(() => {
    if (!isTakenBack) act()
  })
  return () => {
    isTakenBack = true
  }
}

function headerOf(session: Session): SessionHeader {
  const checked = checkHeader(JSON.parse(session.headerLine))
  if (!checked.ok) throw new Error(`Session ${session.id} has a line 1 that is no header: ${checked.problem}`)
  return checked.value
}

// Who is there: a session that asked for it ends what runs in it when the last client that opened or attached to it has gone.

const begins: ReadonlySet<AgentEvent['type']> = new Set(['agent_start', 'job_start'])

/** The clients of one open session. */
interface Presence {
  /** How many are there, now and from then on. */
  readonly count$: Behavior<number>
  /** A client opened the session, or attached to it; more than once counts once. */
  joined(client: object): void
  /** It detached, or its connection ended. */
  left(client: object): void
}

/**
 * With `endWithLastClient` the run that is on is stopped, `client_disconnected`, when nobody is there any more, with people's
 * own commands, and so is what begins when all have left: a client may have sent its prompt and gone while the session was
 * still being opened.
 */
function presence(session: Pick<Session, 'stop' | 'events$'>, endWithLastClient: boolean): Presence {
  const clients = new Set<object>()
  const count = behavior(0)
  let allHaveLeft = false
  const stop = (): void => {
    session.stop('client_disconnected')
  }
  if (endWithLastClient) {
    session.events$.pipe(filter(({ type }) => begins.has(type) && allHaveLeft)).subscribe(stop)
  }
  return {
    count$: count.behavior$,
    joined: (client) => {
      clients.add(client)
      allHaveLeft = false
      count.set(clients.size)
    },
    left: (client) => {
      if (!clients.delete(client)) return
      count.set(clients.size)
      if (clients.size > 0) return
      allHaveLeft = true
      if (endWithLastClient) stop()
    },
  }
}
