// Where everything meets: one log, one pipeline, one run at a time, and commands that act at once.
import { EMPTY, Observable, catchError, concat, defer, ignoreElements, map } from 'rxjs'
import { queues } from '../operators/queues.ts'
import { randomIds } from '../streams/ids.ts'
import { scope } from '../streams/scope.ts'
import type { Scope } from '../streams/scope.ts'
import type { SessionRecord } from '../streams/session-record.ts'
import { conversation } from './conversation.ts'
import { pipeline } from './pipeline.ts'
import type { Pipeline } from './pipeline.ts'
import { replayLog } from './replay-log.ts'
import { runStarter } from './run-starter.ts'
import { commandSender } from './send-command.ts'
import type { SessionCore, SessionParts } from './session-parts.ts'
import type { ReadFrom, Session } from './session.ts'
import { wholeEvent } from './whole-event.ts'

/** Opens a session on its log: what the log holds is folded, and the transcript goes on at its head. */
export function openSession(parts: SessionParts): Session {
  const { log, options } = parts
  const ids = options.ids ?? randomIds()
  const initial = parts.initial ?? replayLog(log)
  const core: SessionCore = {
    parts,
    ids,
    conversation: conversation(initial, ids),
    queues: queues(initial.queue, options.queueModes),
  }
  const events = pipeline({ log, initial, failed: (failure) => starter.running()?.stop.stop('error', failure) })
  const starter = runStarter(core, events.push)
  const life = parts.scope ?? scope()
  life.onEnd(events.close)
  life.onEnd(starter.close)
  const sender = commandSender({ core, log, pipeline: events, starter })
  const logged = ({ after = 0 }: ReadFrom = {}): Iterable<SessionRecord> => log.records(after)
  const records = (from?: ReadFrom): Observable<SessionRecord> => readThenFollow(logged(from), events.records$)
  return {
    id: log.header.id,
    header: log.header,
    headerLine: log.headerLine,
    get model() {
      return parts.settings().model
    },
    state$: events.state$,
    records$: events.records$,
    events$: events.records$.pipe(map(({ event }) => event)),
    records,
    events: (from) => records(from).pipe(map(({ event }) => wholeEvent(event, events.state$.value))),
    logged,
    send: sender.send,
    close: () =>
      defer(() => {
        sender.close()
        const running = starter.running()
        const idle$ = running === undefined ? EMPTY : settledOnce(events)
        running?.stop.stop('server_shutdown')
        return concat(idle$, log.close(), ended(life))
      }),
  }
}

/** Reading is synchronous and ends at the log's end; in the same stretch the live records are subscribed: no gap, no repeat. */
function readThenFollow(logged: Iterable<SessionRecord>, live$: Observable<SessionRecord>): Observable<SessionRecord> {
  return concat(
    new Observable<SessionRecord>((subscriber) => {
      for (const record of logged) {
        if (subscriber.closed) return
        subscriber.next(record)
      }
      subscriber.complete()
    }),
    live$,
  )
}

/** Completes when the run's last event is written, or cannot be: a full disk must not keep a session open. */
function settledOnce(events: Pipeline): Observable<never> {
  return events
    .next(({ event }) => event.type === 'agent_settled')
    .pipe(
      ignoreElements(),
      catchError(() => EMPTY),
    )
}

function ended(life: Scope): Observable<never> {
  return defer(() => {
    life.end()
    return EMPTY
  })
}
