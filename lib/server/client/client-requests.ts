// Matches requests with their responses.
// Guarantees: a request settles once: by its response, by the end of the connection, or by cancelling it.
import { Observable } from 'rxjs'
import type { Subscriber } from 'rxjs'
import { Failure, failureTable } from '../../streams/values/failure.ts'
import type { FailureCode } from '../../streams/values/failure.ts'
import { isLongerThan, lineLimit } from '../protocol/transport.ts'
import type { ResponseFrame } from '../protocol/server-frame.ts'

export interface RequestOptions {
  /** Milliseconds after which the server answers with `timeout`; 0 and default: none. */
  readonly timeoutMs?: number
  /** Idempotency key: a writing command that is sent again with the same one is not executed twice. */
  readonly opId?: string
}

export interface ClientRequests {
  /** Cold; see `Client.request`. The result is the server's, as its schema says. */
  request(command: { readonly type: string }, options?: RequestOptions): Observable<unknown>
  /** @throws the Failure of a response without id: the server could not read a line, and which one is unknown */
  settle(response: ResponseFrame): void
  /** Cancels the unanswered requests. */
  cancelAll(): void
  /** Fails the unanswered requests, and every later one. */
  end(failure: Failure): void
}

export function clientRequests(send: (line: string) => void): ClientRequests {
  const waiting = new Map<string, Subscriber<unknown>>()
  let ended: Failure | undefined
  let sent = 0
  const createLine = (fields: object): { id: string; text: string } => {
    const id = String(++sent)
    return { id, text: JSON.stringify({ v: 1, id, ...fields }) }
  }
  const cancel = (target: string): void => {
    send(createLine({ type: 'cancel', target }).text)
  }
  return {
    request: (command, options = {}) =>
      new Observable((subscriber) => {
        const { id, text } = createLine({ ...command, ...options })
        const problem = ended ?? checkLength(command.type, text)
        if (problem !== undefined) {
          subscriber.error(problem)
          return
        }
        waiting.set(id, subscriber)
        send(text)
        return () => {
          if (waiting.delete(id)) cancel(id)
        }
      }),
    settle: ({ id, result, error }) => {
      if (id === null) throw toFailure(error)
      const subscriber = waiting.get(id)
      waiting.delete(id)
      if (error !== undefined) subscriber?.error(toFailure(error))
      else subscriber?.next(result)
      subscriber?.complete()
    },
    cancelAll: () => {
      for (const id of waiting.keys()) cancel(id)
    },
    end: (failure) => {
      ended = failure
      const unanswered = [...waiting.values()]
      waiting.clear()
      for (const subscriber of unanswered) subscriber.error(failure)
    },
  }
}

/** Checked here, because the server's response to an oversized line has no id. */
function checkLength(type: string, text: string): Failure | undefined {
  if (!isLongerThan(text, lineLimit)) return undefined
  return new Failure('message_too_large', `This ${type} is longer than 16 MiB; send less at once`)
}

function toFailure(error: ResponseFrame['error']): Failure {
  const { code, message, data = {} } = error ?? { code: 'internal', message: 'The server gave no reason' }
  return isCode(code) ? new Failure(code, message, { data }) : new Failure('internal', `${code}: ${message}`, { data })
}

function isCode(code: string): code is FailureCode {
  return Object.hasOwn(failureTable, code)
}
