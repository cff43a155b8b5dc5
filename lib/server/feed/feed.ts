// One client on one session: it gets every line and every character once, in order, at its own pace, and holds up nobody else.
import { Observable, Subscription, take, timer } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { AgentEvent } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import type { Batch } from './broadcast.ts'
import { CatchUp } from './catch-up.ts'
import { laggingFrame } from '../protocol/frame.ts'
import { givenBut, nothingGiven } from './given.ts'
import type { Given } from './given.ts'
import { joinedUpdates } from './joined-updates.ts'
import type { ServedSession } from './served-session.ts'
import { inTurn } from './take-turns.ts'
import type { Transport } from '../protocol/transport.ts'

/** How much a client has not taken of what it was sent, over all its sessions; and how it is sent a tick's lines together. */
export interface Pressure extends Pick<Transport, 'unsent' | 'drained$' | 'sendAll'> {
  /** To be called before the client is sent anything else: what waits for the tick's end comes first. */
  readonly first: Set<() => void>
}

export interface FeedOptions {
  /** The last `seq` that the client has. */
  readonly after: number
  /** Whether `caught_up` is sent when the log has been read. */
  readonly marked: boolean
  /** False leaves out the pieces of messages and of tools' output. */
  readonly deltas: boolean
  /** Milliseconds over which pieces are joined; 0: none. */
  readonly joinMs: number
  readonly pressure: Pressure
  readonly bounds?: FeedBounds
  /** Calls a step when others have had their turn; returns what takes it back. Default: `inTurn`. */
  readonly turn?: (step: () => void) => () => void
}

/** In UTF-16 units. */
export interface FeedBounds {
  /** What a client may leave untaken before nothing more is held for it. Default 1 MiB. */
  readonly unsent: number
  /** What one that is behind is sent before it has to take it, and others have their turn; also of one piece. Default 64 KiB. */
  readonly portion: number
}

const usualBounds: FeedBounds = { unsent: 1024 * 1024, portion: 65_536 }

/**
 * Cold. Behind, it sends what the log has after `after`, then what is missing of what is open, and when nothing is missing it
 * is live: in the same synchronous stretch. Live, it sends each record as it comes; one that has more than 1 MiB unsent is
 * told `lagging` and is behind again from there, when it has taken everything. So nothing is buffered but one portion and
 * what is joined. Completes when the session is closed; fails where its log cannot be read. Where a tick's lines can be sent
 * together (`sendAll`), live ones do not come through the Observable.
 */
export function feed(served: ServedSession, options: FeedOptions): Observable<string> {
  return new Observable((subscriber) => {
    const client = new Feed(served, options, subscriber)
    client.start()
    return () => {
      client.stop()
    }
  })
}

class Feed {
  readonly #served: ServedSession
  readonly #options: Required<FeedOptions>
  readonly #subscriber: Subscriber<string>
  readonly #joined = joinedUpdates()
  #joinedUntil: Subscription | undefined
  /** While it is behind. */
  #catchUp: CatchUp | undefined
  #isCatchingUp = false
  #turn: Subscription | undefined
  /** To the session's records: who is behind is not told them, but is there, and hears the end. */
  #records: Subscription | undefined

  constructor(served: ServedSession, options: FeedOptions, subscriber: Subscriber<string>) {
    this.#served = served
    this.#options = { bounds: usualBounds, turn: inTurn, ...options }
    this.#subscriber = subscriber
  }

  start(): void {
    const { after, marked } = this.#options
    this.#catchUp = this.#catchUpFrom(after, nothingGiven(), marked)
    this.#goOn()
  }

  stop(): void {
    this.#records?.unsubscribe()
    this.#turn?.unsubscribe()
    this.#joinedUntil?.unsubscribe()
  }

  #catchUpFrom(after: number, given: Given, marked: boolean): CatchUp {
    const { deltas, bounds } = this.#options
    return new CatchUp(this.#served, { after, given, marked, deltas, longest: bounds.portion })
  }

  #goOn(): void {
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    try {
      this.#sendMissing()
    } catch (thrown) {
      this.#subscriber.error(Failure.from(thrown))
    }
    this.#isCatchingUp = false
  }

  /** Until nothing is missing, or the portion is used up; what sending it causes is missing too. */
  #sendMissing(): void {
    for (let room = this.#options.bounds.portion; room > 0;) {
      const frame = this.#catchUp?.next()
      if (frame === undefined) {
        this.#catchUp = undefined
        this.#follow()
        return
      }
      this.#subscriber.next(frame)
      if (this.#subscriber.closed) return
      room -= frame.length
    }
    this.#pause()
  }

  /** Until what was sent is taken, and others have had their turn. */
  #pause(): void {
    const { bounds, pressure, turn } = this.#options
    const goOn = (): void => {
      this.#goOn()
    }
    const takeTurn = (): void => {
      this.#turn = new Subscription(turn(goOn))
    }
    if (this.#records === undefined) this.#follow()
    if (this.#subscriber.closed) return
    if (pressure.unsent() < bounds.portion) takeTurn()
    else this.#turn = pressure.drained$.pipe(take(1)).subscribe(takeTurn)
  }

  /** Anew, also for who is there already: that subscription may be told a record just now that is not missing any more. */
  #follow(): void {
    const before = this.#records
    const { deltas, joinMs, pressure } = this.#options
    const isTogether = this.#catchUp === undefined && deltas && joinMs === 0 && pressure.sendAll !== undefined
    this.#records = this.#subscribe()
    if (isTogether) this.#listen()
    before?.unsubscribe()
  }

  #subscribe(): Subscription {
    return this.#served.session.records$.subscribe({
      next: (record) => {
        if (this.#catchUp === undefined) this.#tell(record)
      },
      complete: () => {
        this.#end()
      },
    })
  }

  /** In the place of a subscription, which has told already what a session that is over tells who comes. */
  #listen(): void {
    const told = this.#records
    const { broadcast } = this.#served
    const { first } = this.#options.pressure
    const leave = broadcast.join({
      told: (batch, isLast) => {
        this.#tellAll(batch, isLast)
      },
      closed: () => {
        this.#end()
      },
    })
    first.add(broadcast.flush)
    this.#records = new Subscription(() => {
      leave()
      first.delete(broadcast.flush)
    })
    told?.unsubscribe()
  }

  #end(): void {
    this.#tellJoined()
    this.#subscriber.complete()
  }

  #tellAll({ records, lines, length }: Batch, isLast: boolean): void {
    const { bounds, pressure } = this.#options
    if (this.#subscriber.closed || this.#catchUp !== undefined) return
    // where it is not the last, the state may have what no batch had yet
    if (isLast && pressure.unsent() > bounds.unsent) this.#fallBehind(records)
    else pressure.sendAll?.(lines, length)
  }

  #tell(record: SessionRecord): void {
    const { bounds, deltas, joinMs, pressure } = this.#options
    if (!deltas && isPiece(record)) return
    if (pressure.unsent() > bounds.unsent) {
      this.#fallBehind([record])
      return
    }
    if (joinMs === 0) this.#subscriber.next(this.#served.frameOf(record))
    else this.#join(record)
  }

  #join(record: SessionRecord): void {
    const { bounds, joinMs } = this.#options
    if (!this.#joined.add(record.event)) {
      this.#tellJoined()
      this.#subscriber.next(this.#served.frameOf(record))
    } else if (this.#joined.length > bounds.portion) this.#tellJoined()
    else this.#joinedUntil ??= timer(joinMs).subscribe(() => this.#tellJoined())
  }

  #tellJoined(): void {
    if (this.#joined.length === 0) return
    for (const event of this.#takeJoined()) this.#subscriber.next(this.#served.frameOf({ event, at: 0 }))
  }

  #takeJoined(): AgentEvent[] {
    this.#joinedUntil?.unsubscribe()
    this.#joinedUntil = undefined
    return this.#joined.take()
  }

  /** The records are the latest and are not sent. */
  #fallBehind(records: readonly SessionRecord[]): void {
    const { session } = this.#served
    const state = session.state$.value
    const first = records.find(({ seq }) => seq !== undefined)?.seq
    const after = first === undefined ? state.seq : first - 1
    const latest = [...records.map(({ event }) => event), ...this.#takeJoined()]
    this.#catchUp = this.#catchUpFrom(after, givenBut(state, latest), true)
    this.#follow()
    this.#subscriber.next(laggingFrame(session.id, after))
    this.#pause()
  }
}

function isPiece({ event, line }: SessionRecord): boolean {
  return line === undefined && event.type !== 'status'
}
