// A session in memory: `record` numbers, writes, folds and publishes an event in one step.
import { EMPTY, Observable, Subject, defer, map, of, throwError } from 'rxjs'
import { crc32 } from 'node:zlib'
import { behavior } from '../../lib/streams/rx/behavior.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { isDurable } from '../../lib/streams/events/event.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { emptySession, foldSession } from '../../lib/streams/state/fold-session.ts'
import { lineBody, openBody } from '../../lib/streams/log/line-event.ts'
import type { SessionHeader, SessionRecord } from '../../lib/streams/log/log-line.ts'
import type { Model } from '../../lib/streams/models/model.ts'
import type { AnyTool } from '../../lib/streams/ports/tool.ts'
import type { Offer, Session, SessionCommand } from '../../lib/session/contract/session.ts'

export interface FakeSession extends Session {
  /** Publishes one event as a run does; an event that is caused during a delivery waits behind it. */
  record(event: AgentEvent, more?: { runId?: string; opId?: string }): void
  /** The log's numbered lines. */
  readonly lines: readonly string[]
  /** Every command, with its options. */
  readonly sent: readonly { command: SessionCommand; opId?: string }[]
  readonly isClosed: boolean
  /** The client tools that are registered. */
  readonly offered: readonly AnyTool[]
  /** The number of clients that can answer questions. */
  readonly answerers: number
  /** The reasons of its stops. */
  readonly stopped: readonly string[]
}

export interface FakeSessionOptions {
  readonly id?: string
  readonly cwd?: string
  readonly opId?: string
  /** The response to a command; default: a plausible result at once. */
  readonly answer?: (command: SessionCommand, session: FakeSession) => Observable<object>
  readonly closeFails?: Failure
  /** Why its log takes no lines. */
  readonly readOnly?: Failure
  /** Closing waits for it. */
  readonly closing$?: Observable<never>
}

export const fakeModel: Model = {
  id: 'model',
  provider: 'fake',
  api: 'fake',
  inputs: ['text'],
  reasoning: false,
}

export function fakeSession(options: FakeSessionOptions = {}): FakeSession {
  const { id = 'aaaaaaaaaaaa', cwd = '/somewhere', opId } = options
  const fields: SessionHeader = {
    type: 'session',
    v: 1,
    id,
    createdAt: 1,
    cwd,
    ...(opId === undefined ? {} : { opId }),
  }
  const headerLine = sealed(openBody(fields))
  const notices$ = new Subject<SessionRecord>()
  const state = behavior(emptySession())
  const log: SessionRecord[] = []
  const sent: { command: SessionCommand; opId?: string }[] = []
  const waiting: (() => void)[] = []
  const stopped: string[] = []
  let delivering = false
  let closed = false
  let answerers = 0
  const offered = new Map<Offer, readonly AnyTool[]>()

  const recordNow = (event: AgentEvent, more: { runId?: string; opId?: string }): void => {
    const at = 1_000 + log.length
    const seq = log.length + 1
    const line = sealed(lineBody({ seq, at, event, ...more }))
    const record: SessionRecord = isDurable(event) ? { event, at, seq, line, ...more } : { event, at, ...more }
    if (isDurable(event)) log.push(record)
    state.set(foldSession(state.behavior$.value, record))
    notices$.next(record)
  }
  const session: FakeSession = {
    id,
    header: JSON.parse(headerLine) as SessionHeader,
    headerLine,
    model: fakeModel,
    thinkingLevel: 'off',
    activeTools: [],
    registeredTools: [],
    isVerified: true,
    readOnly: options.readOnly,
    state$: state.behavior$,
    events$: notices$.pipe(map((record) => record.event)),
    records$: notices$.asObservable(),
    events: () => throwError(() => new Error('a server reads records')),
    records: () => throwError(() => new Error('a server joins by itself')),
    logged: function* ({ after = 0 } = {}) {
      for (let index = after; index < log.length; index++) {
        const record = log[index]
        if (record !== undefined) yield record
      }
    },
    send: (command, { opId: key } = {}) => {
      sent.push({ command, ...(key === undefined ? {} : { opId: key }) })
      return (options.answer ?? plausible)(command, session) as Observable<never> // the test sets the response
    },
    ask: () => throwError(() => new Error('a server asks nothing')),
    answering$: new Observable(() => {
      answerers += 1
      return () => {
        answerers -= 1
      }
    }),
    jobs: { list: () => [], output: () => throwError(() => new Error('a test sets the jobs')) },
    offer: (tools, instead) => {
      if (instead !== undefined) offered.delete(instead)
      const offer = { withdraw: () => offered.delete(offer) }
      offered.set(offer, tools)
      return offer
    },
    get offered() {
      return [...offered.values()].flat()
    },
    get answerers() {
      return answerers
    },
    run: () => {
      throw new Error('a server sends commands')
    },
    listen: () => {
      throw new Error('a server reads records')
    },
    stop: (reason) => {
      stopped.push(reason)
    },
    stopped,
    close: () =>
      defer(() => {
        closed = true
        notices$.complete()
        const { closeFails, closing$ = EMPTY } = options
        return closeFails === undefined ? closing$ : throwError(() => closeFails)
      }),
    record: (event, more = {}) => {
      waiting.push(() => {
        recordNow(event, more)
      })
      if (delivering) return
      delivering = true
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next()
      delivering = false
    },
    get lines() {
      return log.map((record) => record.line ?? '')
    },
    sent,
    get isClosed() {
      return closed
    },
  }
  return session
}

function plausible(command: SessionCommand): Observable<object> {
  switch (command.type) {
    case 'prompt':
      return of({ status: 'started', runId: 'rrrrrrrr' })
    case 'abort':
      return of({})
    default:
      return of({ queueId: 'qqqqqqqq' })
  }
}

function sealed(body: string): string {
  return `${body},"crc":"${crc32(body).toString(16).padStart(8, '0')}"}`
}
