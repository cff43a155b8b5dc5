// One sync is under way at a time and serves everything that was written before it began; who comes later waits for the next.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import type { Failure } from '../../streams/values/failure.ts'
import type { FileSystemPort } from './file-system-port.ts'

/** Begins a sync and tells when it is done, or why it failed. */
export type StartSync = (done: (failure: Failure | undefined) => void) => void

interface Waiter {
  readonly position: number
  readonly subscriber: Subscriber<void>
}

/** What was written is counted, so that everyone waits for no more than was written before they asked. */
export class GroupCommit {
  readonly #start: StartSync
  readonly #afterStep: FileSystemPort['afterStep']
  /** 1, not 0: what was there before may not be synced either. */
  #written = 1
  #synced = 0
  #wanted = 0
  #busy = false
  #failure: Failure | undefined
  readonly #waiters = new Set<Waiter>()

  /** @param afterStep of the files' port */
  constructor(start: StartSync, afterStep: FileSystemPort['afterStep']) {
    this.#start = start
    this.#afterStep = afterStep
  }

  /** Why nothing is synced any more: one sync failed. What the file has then nobody knows, so it is never tried again. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Tells that something was written. */
  written(): void {
    this.#written += 1
  }

  /** Has a sync of everything written so far begin when this step of the event loop is over, or follow that which is under way. */
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
   * Not in the middle of what the thread is at: a request that is about to leave would wait until another thread is woken, lines that
   * are still to be written would wait for the disk, which has the file's pages; and each sync serves all lines of a step.
   */
  #begin(): void {
    const covered = this.#written
    this.#start((failure) => {
      this.#busy = false
      if (failure === undefined) this.#synced = covered
      else this.#failure = failure
      this.#want(this.#wanted)
      this.#settle()
    })
  }

  /** Answers those whose time has come; they may write and wait again within their handlers. */
  #settle(): void {
    const failure = this.#failure
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
