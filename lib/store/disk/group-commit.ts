// Groups syncs of a file: one runs at a time, and the next serves all that wait.
// Guarantees: it covers everything written before it began; later callers wait for the next.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from './file-system-port.ts'

/** Starts a sync and calls back when it has ended, with the failure if there was one. */
export type StartSync = (done: (failure: Failure | undefined) => void) => void

interface Waiter {
  readonly position: number
  readonly subscriber: Subscriber<void>
}

/** Counts writes, so that each caller waits only for what was written before its call. */
export class GroupCommit {
  readonly #start: StartSync
  readonly #afterStep: FileSystemPort['afterStep']
  /** 1, not 0: content from before the start may be unsynced too. */
  #written = 1
  #synced = 0
  #wanted = 0
  #busy = false
  #failure: Failure | undefined
  readonly #waiters = new Set<Waiter>()

  /** @param afterStep of the file system port */
  constructor(start: StartSync, afterStep: FileSystemPort['afterStep']) {
    this.#start = start
    this.#afterStep = afterStep
  }

  /**
   * The first failed sync, but not for want of a descriptor. After it the file's content is unknown, so no further sync
   * is attempted.
   */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Records one write. */
  written(): void {
    this.#written += 1
  }

  /** Schedules a sync of everything written so far at the end of this event loop step, or after the running sync. */
  request(): void {
    this.#want(this.#written)
  }

  /** Emits once and completes when everything written before the call is synced; fails with `failure`. */
  durable(): Observable<void> {
    const position = this.#written
    return new Observable((subscriber) => {
      if (this.#failure !== undefined || position <= this.#synced) {
        answer(subscriber, this.#failure)
        return undefined
      }
      const waiter = { position, subscriber }
      this.#waiters.add(waiter)
      this.#want(position)
      return () => this.#waiters.delete(waiter)
    })
  }

  #want(position: number): void {
    this.#wanted = Math.max(this.#wanted, position)
    if (this.#busy || this.#failure !== undefined || this.#wanted <= this.#synced) return
    this.#busy = true
    this.#afterStep(() => {
      this.#begin()
    })
  }

  /**
   * Deferred to the end of the step: one sync then serves all lines of the step, and it does not delay a request that
   * is about to leave or lines that are still to be written.
   */
  #begin(): void {
    const target = this.#written
    this.#start((failure) => {
      this.#busy = false
      if (failure === undefined) this.#synced = target
      // no descriptor for a folder: no data is lost, and the next request tries again
      else if (failure.code === 'overloaded') this.#wanted = this.#synced
      else this.#failure = failure
      this.#want(this.#wanted)
      this.#settle(failure)
    })
  }

  /** Completes the waiters that are due; their handlers may write and wait again. */
  #settle(failure: Failure | undefined): void {
    const due = [...this.#waiters].filter(({ position }) => failure !== undefined || position <= this.#synced)
    for (const waiter of due) this.#waiters.delete(waiter)
    for (const { subscriber } of due) answer(subscriber, failure)
  }
}

function answer(subscriber: Subscriber<void>, failure: Failure | undefined): void {
  if (failure !== undefined) subscriber.error(failure)
  else {
    subscriber.next()
    subscriber.complete()
  }
}
