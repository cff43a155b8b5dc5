// Runs the calls that come over a link, and reports their values and their end.
// Guarantees: the end of a call is reported once nothing of it runs; an abort reaches its signal.
import { defer } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { LinkMessage } from './link-messages.ts'
import { failureFields, notPlain } from './plain-data.ts'

/** A call of the other side. */
export interface ServedCall {
  readonly id: number
  /** Aborts if the caller aborts or cancels the call. */
  readonly signal: AbortSignal
  /** Values that the caller has not taken yet. */
  readonly waiting: number
  /** Called each time that the caller has taken a value; one function at a time. */
  onTaken: () => void
  /** The call has not ended before this promise settles. */
  holdUntil(promise: Promise<unknown>): void
}

export type Serve = (name: string, input: unknown, call: ServedCall) => Observable<unknown>

interface Running extends ServedCall {
  waiting: number
  readonly controller: AbortController
  readonly holds: Promise<unknown>[]
  readonly name: string
  subscription: Subscription | undefined
  ended: boolean
}

export interface ServedCalls {
  receive(message: LinkMessage): void
  /** Ends every call, and reports nothing any more. */
  close(): void
}

export function servedCalls(post: (message: LinkMessage) => void, serve: Serve): ServedCalls {
  const running = new Map<number, Running>()
  const finish = (call: Running, failure?: unknown): void => {
    if (call.ended) return
    call.ended = true
    running.delete(call.id)
    post({ kind: 'end', id: call.id, ...(failure === undefined ? {} : { failure: failureFields(failure) }) })
  }
  return {
    receive: (message) => {
      if (message.kind === 'call') begin(message, running, { post, serve, finish })
      else if (message.kind === 'ack') acknowledge(running.get(message.id))
      else if (message.kind === 'abort') abort(running.get(message.id), message.reason)
      else if (message.kind === 'cancel') cancel(running.get(message.id), finish)
    },
    close: () => {
      const all = [...running.values()]
      running.clear()
      for (const call of all) {
        call.ended = true
        abort(call, 'AbortError')
        call.subscription?.unsubscribe()
      }
    },
  }
}

interface Surroundings {
  post(message: LinkMessage): void
  readonly serve: Serve
  finish(call: Running, failure?: unknown): void
}

function begin(
  { id, name, input }: Extract<LinkMessage, { kind: 'call' }>,
  running: Map<number, Running>,
  { post, serve, finish }: Surroundings,
): void {
  const call = runningCall(id, name)
  running.set(id, call)
  call.subscription = defer(() => serve(name, input, call)).subscribe({
    next: (value) => {
      if (call.ended) return
      call.waiting += 1
      try {
        post({ kind: 'value', id, value })
      } catch (thrown) {
        finish(call, notPlain(`An answer of ${name}`, thrown))
        call.subscription?.unsubscribe()
      }
    },
    error: (thrown: unknown) => {
      finish(call, thrown)
    },
    complete: () => {
      finish(call)
    },
  })
  if (call.ended) call.subscription.unsubscribe() // it ended within its own subscription
}

function runningCall(id: number, name: string): Running {
  const controller = new AbortController()
  const holds: Promise<unknown>[] = []
  return {
    ...{ id, name, controller, holds, signal: controller.signal, waiting: 0, ended: false, subscription: undefined },
    onTaken: () => undefined,
    holdUntil: (promise) => {
      holds.push(promise)
    },
  }
}

function acknowledge(call: Running | undefined): void {
  if (call === undefined) return
  call.waiting -= 1
  call.onTaken()
}

function abort(call: Running | undefined, reason: 'AbortError' | 'TimeoutError'): void {
  if (call === undefined || call.signal.aborted) return
  call.controller.abort(new DOMException('The call was aborted', reason))
}

function cancel(call: Running | undefined, finish: Surroundings['finish']): void {
  if (call === undefined) return
  abort(call, 'AbortError')
  call.subscription?.unsubscribe()
  Promise.allSettled(call.holds).then(
    () => {
      finish(call)
    },
    () => undefined, // `allSettled` does not reject
  )
}
