// Carries lines over a WebSocket of the platform, one line a message. Needs no Node module.
import { Observable } from 'rxjs'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { lineTransport } from './line-transport.ts'
import { disconnected } from './transport.ts'
import type { Transport } from './transport.ts'

/** The part of a `WebSocket` that is used; that of a browser, of Node, and of the package `ws` have it. */
export interface WebSocketLike {
  readonly readyState: number
  readonly bufferedAmount: number
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: (event: unknown) => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/**
 * Emits the transport once the socket is open, and completes; fails with Failure `disconnected` if it closes before,
 * and with `bad_request` if `open` throws, as for an invalid URL. Later `lines$` completes when the socket has closed
 * normally (1000, 1001, or no code), and fails with `disconnected` otherwise: `data.closeCode` is the code, and the
 * message has the reason. Unsubscribing before it is open closes the socket.
 */
export function webSocketTransport(open: () => WebSocketLike): Observable<Transport> {
  return new Observable((subscriber) => {
    const socket = create(open)
    let problem: unknown
    const start = (): void => {
      if (subscriber.closed) return
      subscriber.next(openTransport(socket))
      subscriber.complete()
    }
    if (socket.readyState === 1) start()
    else socket.addEventListener('open', start)
    // without a listener for errors, a socket of `ws` ends the process
    socket.addEventListener('error', (event) => (problem = event))
    socket.addEventListener('close', (event) => {
      subscriber.error(disconnected(`the WebSocket closed before it was open${endOf(event, problem)}`, dataOf(event)))
    })
    return () => {
      if (socket.readyState === 0) socket.close()
    }
  })
}

function create(open: () => WebSocketLike): WebSocketLike {
  try {
    return open()
  } catch (cause) {
    throw new Failure('bad_request', `The WebSocket could not be created: ${describeThrown(cause)}`, { cause })
  }
}

function openTransport(socket: WebSocketLike): Transport {
  return lineTransport({
    lines$: new Observable((subscriber) => {
      let problem: unknown
      if (socket.readyState > 1) subscriber.complete() // closed already: no event will come
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') subscriber.next(data)
        else subscriber.error(disconnected('the other end sent a message that is no text'))
      })
      socket.addEventListener('error', (event) => (problem = event))
      socket.addEventListener('close', (event) => {
        if (problem === undefined && normalCodes.has(closeCodeOf(event))) subscriber.complete()
        else subscriber.error(disconnected(`the WebSocket closed${endOf(event, problem)}`, dataOf(event)))
      })
    }),
    send: (line) => socket.send(line),
    close: () => socket.close(),
    unsent: () => socket.bufferedAmount,
  })
}

/** Closed normally, going away, no code; a channel that has none. */
const normalCodes: ReadonlySet<number | undefined> = new Set([1000, 1001, 1005, undefined])

/** How it ended, as ` with code 1008: sign in first`. */
function endOf(event: unknown, problem: unknown): string {
  const code = closeCodeOf(event)
  const reason = textOf(event, 'reason') ?? textOf(problem, 'message')
  return `${code === undefined ? '' : ` with code ${code}`}${reason === undefined ? '' : `: ${reason}`}`
}

function dataOf(event: unknown): { readonly data?: { readonly closeCode: number } } {
  const closeCode = closeCodeOf(event)
  return closeCode === undefined ? {} : { data: { closeCode } }
}

function closeCodeOf(event: unknown): number | undefined {
  if (typeof event !== 'object' || event === null || !('code' in event)) return undefined
  return typeof event.code === 'number' ? event.code : undefined
}

/** A text of the event that is not empty. */
function textOf(event: unknown, name: 'message' | 'reason'): string | undefined {
  const text: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, name) : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}
