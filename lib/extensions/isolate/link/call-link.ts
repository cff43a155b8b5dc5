// Carries calls over a port in both directions: values, failures, aborts, and the end of each call.
// Guarantees: a call ends once; a side that is closed fails its calls; at most 1,000 calls are open in a direction.
import { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { FailureFields } from '../../../streams/values/failure.ts'
import type { LinkMessage } from './link-messages.ts'
import { failureOf, notPlain } from './plain-data.ts'
import { servedCalls } from './served-calls.ts'
import type { Serve } from './served-calls.ts'

/** Calls that may be open at a time in one direction. */
const mostCalls = 1_000

export interface LinkOptions {
  post(message: LinkMessage): void
  /** Answers the calls of the other side. */
  readonly serve: Serve
  /** Milliseconds that a call may go on after its abort or its cancel. Default: no limit. */
  readonly graceMs?: number
  /** Called with the name of a call that goes on longer. */
  onStuck?(name: string): void
  /** Called when calls of this side begin or end, with how many are open. */
  onOpen?(count: number): void
}

export interface CallLink {
  /** The names of the calls of this side that are open. */
  readonly open: readonly string[]
  /**
   * Calls the other side. Cold; an abort of `signal` asks it to end by itself, unsubscribing ends it. Fails with the other side's
   * Failure, `bad_request` for input that is no plain data, `overloaded` if too many calls are open.
   */
  call$(name: string, input: unknown, signal?: () => AbortSignal): Observable<unknown>
  /** Takes a message of the port. */
  receive(message: LinkMessage): void
  /** Fails every open call with `failure`, and every later one. */
  close(failure: Failure): void
}

interface OpenCall {
  readonly name: string
  sink: { next(value: unknown): void; error(error: unknown): void; complete(): void } | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

export function callLink(options: LinkOptions): CallLink {
  const { post, serve } = options
  const calls = new Map<number, OpenCall>()
  const { setOpen, settle } = callTable(calls, options)
  const served = servedCalls(post, serve)
  const state = { lastId: 0, closed: undefined as Failure | undefined }
  return {
    get open() {
      return [...calls.values()].map(({ name }) => name)
    },
    call$: (name, input, signal) =>
      new Observable((sink) => {
        const problem = state.closed ?? crowded(calls.size)
        if (problem !== undefined) throw problem
        const id = (state.lastId += 1)
        const call: OpenCall = { name, sink, timer: undefined }
        send(post, { kind: 'call', id, name, input })
        setOpen(id, call)
        const stopListening = passAbort(signal?.(), id, call, options)
        return () => {
          stopListening()
          call.sink = undefined
          if (calls.has(id)) cancel(id, call, options)
        }
      }),
    receive: (message) => {
      if (message.kind === 'value') {
        post({ kind: 'ack', id: message.id })
        calls.get(message.id)?.sink?.next(message.value)
      } else if (message.kind === 'end') {
        finish(settle(message.id)?.sink, message.failure)
      } else if (message.kind === 'ping') post({ kind: 'pong' })
      else served.receive(message)
    },
    close: (failure) => {
      if (state.closed !== undefined) return
      state.closed = failure
      served.close()
      for (const id of [...calls.keys()]) settle(id)?.sink?.error(failure)
    },
  }
}

function finish(sink: OpenCall['sink'], failure: FailureFields | undefined): void {
  if (failure === undefined) sink?.complete()
  else sink?.error(failureOf(failure))
}

function crowded(count: number): Failure | undefined {
  if (count < mostCalls) return undefined
  return new Failure('overloaded', `${mostCalls} calls are open between a session and the worker of an extension`)
}

/** @throws Failure `bad_request` if the input is no plain data, not even as JSON */
function send(post: LinkOptions['post'], message: Extract<LinkMessage, { kind: 'call' }>): void {
  try {
    post(message)
  } catch (thrown) {
    const copy: unknown = jsonCopy(message, thrown)
    post({ ...message, input: copy })
  }
}

/** Leaves out functions, which other extensions may put into details of results. */
function jsonCopy({ name, input }: { readonly name: string; readonly input: unknown }, thrown: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input))
  } catch {
    throw notPlain(`The input of ${name}`, thrown)
  }
}

/** Returns what ends the listening. */
function passAbort(signal: AbortSignal | undefined, id: number, call: OpenCall, options: LinkOptions): () => void {
  if (signal === undefined) return () => undefined
  const onAbort = (): void => {
    const isLate = signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
    options.post({ kind: 'abort', id, reason: isLate ? 'TimeoutError' : 'AbortError' })
    limit(call, options)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => {
    signal.removeEventListener('abort', onAbort)
  }
}

function callTable(calls: Map<number, OpenCall>, { onOpen }: LinkOptions) {
  return {
    setOpen: (id: number, call: OpenCall): void => {
      calls.set(id, call)
      onOpen?.(calls.size)
    },
    settle: (id: number): OpenCall | undefined => {
      const call = calls.get(id)
      clearTimeout(call?.timer)
      if (calls.delete(id)) onOpen?.(calls.size)
      return call
    },
  }
}

function cancel(id: number, call: OpenCall, options: LinkOptions): void {
  options.post({ kind: 'cancel', id })
  limit(call, options)
}

function limit(call: OpenCall, { graceMs, onStuck }: LinkOptions): void {
  if (graceMs === undefined) return
  call.timer ??= setTimeout(() => onStuck?.(call.name), graceMs)
}
