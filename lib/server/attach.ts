// Joining a session without gap or repeat: the log is read to its end, and in that same synchronous stretch live is subscribed.
import { Observable, concat, defer, filter, from, map } from 'rxjs'
import type { CommandNamed, ResultOf } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'
import type { SessionRecord } from '../streams/session-record.ts'
import { caughtUpFrame } from './frame.ts'
import type { ServedSession } from './served-session.ts'
import { snapshotFrames } from './snapshot-frames.ts'

export interface Attachment {
  readonly result: ResultOf<'attach'>
  /** To be subscribed right after the result was sent; completes when the session is closed. Holds nothing back. */
  readonly frames$: Observable<string>
}

/**
 * With `after` or `tail`: the durable events from the log, `caught_up`, what is open in mid-message, then live. With neither:
 * what is open, then live. `deltas: false` leaves out the pieces of messages and of tools' output.
 * @throws Failure `bad_request` where `after` is beyond the log's end, or given together with `tail`
 */
export function attach(served: ServedSession, command: Omit<CommandNamed<'attach'>, 'type'>): Attachment {
  const { session, channel, header } = served
  const { seq: head, headEntryId, queue, requests } = session.state$.value
  const after = startOf(command, head)
  const live$ = joinLive(served, { marked: after !== undefined, deltas: command.deltas ?? true })
  return {
    result: { channel, head, headEntryId, header, queue: [...queue], requests: [...requests] },
    frames$: after === undefined ? live$ : concat(loggedFrames(served, after), live$),
  }
}

function startOf({ after, tail }: Omit<CommandNamed<'attach'>, 'type'>, head: number): number | undefined {
  if (after !== undefined && tail !== undefined) throw new Failure('bad_request', 'Give after or tail, not both')
  if (after !== undefined && after > head) {
    throw new Failure('bad_request', `after is ${after}, but the log ends at ${head}`, { data: { head } })
  }
  return tail === undefined ? after : Math.max(0, head - tail)
}

/** Read lazily, up to the position at which the log ends: what is written meanwhile is read too. */
function loggedFrames(served: ServedSession, after: number): Observable<string> {
  return defer(() => from(served.session.logged({ after }))).pipe(map((record) => served.frameOf(record)))
}

/** Subscribes first, then sends mark and snapshot; what comes live meanwhile waits behind them. */
function joinLive(served: ServedSession, options: { marked: boolean; deltas: boolean }): Observable<string> {
  const { session } = served
  const wanted = options.deltas ? () => true : isNoPiece
  return new Observable((subscriber) => {
    const waiting: string[] = []
    let joined = false
    const live = session.records$.pipe(filter(wanted)).subscribe({
      next: (record) => {
        const frame = served.frameOf(record)
        if (joined) subscriber.next(frame)
        else waiting.push(frame)
      },
      complete: () => {
        if (joined) subscriber.complete()
      },
    })
    const state = session.state$.value
    if (options.marked) subscriber.next(caughtUpFrame(session.id, state.seq))
    if (options.deltas) for (const frame of snapshotFrames(served, state)) subscriber.next(frame)
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) subscriber.next(frame)
    joined = true
    if (live.closed) subscriber.complete() // the session was closed meanwhile
    return live
  })
}

function isNoPiece({ event, line }: SessionRecord): boolean {
  return line !== undefined || event.type === 'status'
}
