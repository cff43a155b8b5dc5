// One open session as its clients share it: one channel number, and each record is made into a frame once for all of them.
import { NEVER } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../streams/command.ts'
import type { FailureShape } from '../streams/event.ts'
import type { Failure } from '../streams/failure.ts'
import type { SessionHeader } from '../streams/log-line.ts'
import type { SessionRecord } from '../streams/session-record.ts'
import { checkHeader } from '../streams/validators.ts'
import type { OpenedSession } from '../session/session-host.ts'
import type { Session } from '../session/session.ts'
import { recordFrame } from './frame.ts'
import { presence } from './presence.ts'
import type { Presence } from './presence.ts'

export interface ServedSession {
  readonly session: Session
  /** What `attach` answers with and compact deltas carry; the same number for all clients, so that they share frames. */
  readonly channel: number
  readonly presence: Presence
  /** Line 1 of the log, its fields in their order: its JSON text is the line. */
  readonly header: SessionHeader
  /** What `new_session` and `open_session` answer with. */
  readonly opened: ResultOf<'open_session'>
  /** Completes when the session was closed, also by itself; for most it is silent. */
  readonly over$: Observable<never>
  /** The record's frame, kept until another record is asked for. */
  frameOf(record: SessionRecord): string
}

export interface ServeOptions {
  readonly channel: number
  readonly endWithLastClient?: boolean | undefined
}

export function servedSession(
  { session, notices, readOnly, over$ = NEVER }: OpenedSession,
  { channel, endWithLastClient = false }: ServeOptions,
): ServedSession {
  const { id, model } = session
  const header = headerOf(session)
  let lastRecord: SessionRecord | undefined
  let lastFrame = ''
  return {
    session,
    channel,
    presence: presence(session, endWithLastClient),
    header,
    over$,
    opened: {
      session: id,
      header,
      model,
      notices: [...notices],
      ...(readOnly === undefined ? {} : { readOnly: shapeOf(readOnly) }),
    },
    frameOf: (record) => {
      if (record !== lastRecord) {
        lastFrame = recordFrame(id, channel, record)
        lastRecord = record
      }
      return lastFrame
    },
  }
}

function shapeOf({ code, message, data }: Failure): FailureShape {
  return { code, message, ...(Object.keys(data).length === 0 ? {} : { data: { ...data } }) }
}

function headerOf(session: Session): SessionHeader {
  const checked = checkHeader(JSON.parse(session.headerLine))
  if (!checked.ok) throw new Error(`Session ${session.id} has a line 1 that is no header: ${checked.problem}`)
  return checked.value
}
