// One open session as its clients share it: channel number, frames, tick batches and presence.
import { NEVER } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Notice, OpenedSession } from '../../services/contract/server-backend.ts'
import type { Session } from '../../session/contract/session.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { failureShape } from '../../streams/values/failure.ts'
import type { SessionHeader, SessionRecord } from '../../streams/log/log-line.ts'
import { checkHeader } from '../../streams/validation/validators.ts'
import { recordFrame } from '../protocol/frame.ts'
import { clientPresence } from './client-presence.ts'
import type { ClientPresence } from './client-presence.ts'
import { longFrameCache } from './long-frame-cache.ts'
import type { LongFrameCache } from './long-frame-cache.ts'
import { tickBatcher } from './tick-batcher.ts'
import type { TickBatcher } from './tick-batcher.ts'
import { endOfTick } from './yield-to-event-loop.ts'

export interface ServedSession {
  readonly session: Session
  /** In the answer to `attach` and in compact deltas. The same number for all clients, so that they share frames. */
  readonly channel: number
  readonly presence: ClientPresence
  /** Line 1 of the log, its fields in their order: its JSON text is the line. */
  readonly header: SessionHeader
  /** The current result of `new_session` and `open_session`. */
  readonly opened: ResultOf<'open_session'>
  /** Whether the session is read-only here because another process wrote it, and that process has stopped. */
  isOutdated(): boolean
  /** A person chose the session's present model. */
  rememberModel(): void
  /** Whether it has a log on disk. */
  readonly isStored: boolean
  /** Sets the `status` that attached clients get when the session is closed; without it they get none. */
  announceEnd(notice: Notice): void
  /** Returns what `announceEnd` was called with. */
  endNotice(): Notice | undefined
  /** Completes when the session was closed, also by itself; most sessions never emit. */
  readonly over$: Observable<never>
  /** Returns the frame of a record; the last one is stored for the next client. */
  frameOf(record: SessionRecord): string
  /** Frames of records that are read from the log. */
  readonly logFrames: LongFrameCache
  /** The live records, for clients whose transport takes batches. */
  readonly batcher: TickBatcher
}

export interface ServeOptions {
  readonly channel: number
  readonly endWithLastClient?: boolean | undefined
  /** Default: true. */
  readonly isStored?: boolean | undefined
  /**
   * Calls `act` at the end of the tick that began with a record; returns a function that cancels it. Default:
   * `endOfTick`.
   */
  readonly tick?: (act: () => void, first: SessionRecord) => () => void
}

export function servedSession(
  {
    session,
    notices,
    readOnly,
    over$ = NEVER,
    isOutdated = () => false,
    rememberModel = () => undefined,
  }: OpenedSession,
  { channel, endWithLastClient = false, isStored = true, tick = endOfTick }: ServeOptions,
): ServedSession {
  const { id } = session
  const header = parseHeader(session)
  let endNotice: Notice | undefined
  const frameOf = cacheLast((record) => recordFrame(id, channel, record))
  return {
    session,
    channel,
    presence: clientPresence(session, endWithLastClient),
    header,
    over$,
    isStored,
    isOutdated,
    rememberModel,
    announceEnd: (notice) => void (endNotice = notice),
    endNotice: () => endNotice,
    get opened() {
      const refusal = readOnly ?? session.readOnly
      return {
        session: id,
        header,
        model: session.unusable === undefined ? session.model : null, // may have changed since the session was opened
        notices: [...notices],
        ...(refusal === undefined ? {} : { readOnly: failureShape(refusal) }),
      }
    },
    frameOf,
    logFrames: longFrameCache((record) => recordFrame(id, channel, record)),
    batcher: tickBatcher(session.records$, { frameOf, tick }),
  }
}

/** Stores the last frame until another record comes. */
function cacheLast(make: (record: SessionRecord) => string): (record: SessionRecord) => string {
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

function parseHeader(session: Session): SessionHeader {
  const checked = checkHeader(JSON.parse(session.headerLine))
  if (!checked.ok) throw new Error(`Session ${session.id} has a line 1 that is not a header: ${checked.problem}`)
  return checked.value
}
