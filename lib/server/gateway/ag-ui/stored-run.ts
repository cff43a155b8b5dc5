// Stores the events of one AG-UI run as frames of an event stream, for the request that follows it.
import { Observable, Subject } from 'rxjs'
import type { AgUiEvent } from '../../../services/bridges/ag-ui.ts'
import { Failure } from '../../../streams/values/failure.ts'

interface StoredEvent {
  /** `SEQ.INDEX`: the last durable event of the session, and the place in the run. */
  readonly id: string
  readonly event: AgUiEvent
  readonly json: string
}

/** UTF-16 units that a run stores; the oldest events are dropped. */
const unitLimit = 2 * 1024 * 1024

interface StoredRunOptions {
  /** The run's id in the session; undefined for a message between two runs. */
  readonly sessionRunId?: string | undefined
  /** The run that has paused before it. */
  readonly parent?: StoredRun | undefined
  /** True if it is no run of the session: it answers a prompt that the session has taken beside its run. Default: false. */
  readonly isBeside?: boolean
}

/** A run goes on without a request; one that comes back gets what followed its last event. */
export class StoredRun {
  readonly sessionRunId: string | undefined
  readonly isBeside: boolean
  readonly #parent: StoredRun | undefined
  readonly #live$ = new Subject<StoredEvent>()
  #stored: StoredEvent[] = []
  /** Events that were dropped. */
  #dropped = 0
  #units = 0
  #isOver = false
  /** The id that the front end has given it. */
  claimedBy: string | undefined

  constructor({ sessionRunId, parent, isBeside = false }: StoredRunOptions = {}) {
    this.sessionRunId = sessionRunId
    this.#parent = parent
    this.isBeside = isBeside
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** True while a request gets its events. */
  get isFollowed(): boolean {
    return this.#live$.observed
  }

  /** The last event so far. */
  get last(): AgUiEvent | undefined {
    return this.#stored.at(-1)?.event
  }

  add(seq: number, event: AgUiEvent): void {
    const index = this.#dropped + this.#stored.length + 1
    const stored = { id: `${seq}.${index}`, event, json: JSON.stringify(event) }
    this.#stored.push(stored)
    this.#units += stored.json.length
    let drop = 0
    while (this.#units > unitLimit && drop < this.#stored.length - 1) {
      this.#units -= this.#stored[drop]?.json.length ?? 0
      drop += 1
    }
    this.#stored.splice(0, drop)
    this.#dropped += drop
    this.#live$.next(stored)
  }

  /** No event follows. */
  close(): void {
    this.#isOver = true
    this.#live$.complete()
  }

  /**
   * The frames after the event with this index, from 1 on, then live ones; completes with the run. Fails with
   * `bad_request` if they are not stored any more. Buffers nothing of its own.
   */
  frames$(after: number): Observable<string> {
    return new Observable((subscriber) => {
      if (after < this.#dropped) {
        subscriber.error(
          new Failure('bad_request', 'The events of the run after this one are not stored any more; read the session.'),
        )
        return
      }
      for (const stored of this.#stored.slice(after - this.#dropped)) subscriber.next(this.#frameOf(stored))
      if (this.#isOver) subscriber.complete()
      else
        subscriber.add(
          this.#live$.subscribe({
            next: (stored) => subscriber.next(this.#frameOf(stored)),
            complete: () => subscriber.complete(),
          }),
        )
    })
  }

  /** The run's id is known only when a request claims it. */
  #frameOf({ id, event, json }: StoredEvent): string {
    return sseFrame('runId' in event ? JSON.stringify(this.#withIds(event)) : json, id)
  }

  #withIds(event: Extract<AgUiEvent, { readonly runId: string }>): object {
    const parentRunId = this.#parent?.claimedBy
    const runId = this.claimedBy ?? event.runId
    if (event.type !== 'RUN_STARTED') return { ...event, runId }
    return { type: event.type, threadId: event.threadId, runId, ...(parentRunId === undefined ? {} : { parentRunId }) }
  }
}

/** One event of a stream. */
export function sseFrame(json: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${json}\n\n`
}
