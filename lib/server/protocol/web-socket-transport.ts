// Carries lines over a WebSocket of the platform, one line a message. Needs no Node module.
import { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { lineTransport } from './line-transport.ts'
import type { Transport } from './transport.ts'

/** The part of a `WebSocket` that is used; that of a browser, of Node, and of the package `ws` have it. */
export interface WebSocketLike {
  readonly readyState: number
  readonly bufferedAmount: number
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
}

/**
 * Emits the transport once the socket is open, and completes; fails with Failure `disconnected` if it closes before. Later
 * `lines$` completes when the socket has closed. Unsubscribing before it is open closes the socket.
 */
export function webSocketTransport(open: () => WebSocketLike): Observable<Transport> {
  return new Observable((subscriber) => {
    const socket = open()
    const start = (): void => {
      if (subscriber.closed) return
      subscriber.next(openTransport(socket))
      subscriber.complete()
    }
    const fail = (): void => subscriber.error(new Failure('disconnected', 'The WebSocket closed before it was open'))
    if (socket.readyState === 1) start()
    socket.addEventListener('open', start)
    socket.addEventListener('close', fail)
    return () => {
      if (socket.readyState === 0) socket.close()
    }
  })
}

function openTransport(socket: WebSocketLike): Transport {
  return lineTransport({
    lines$: new Observable((subscriber) => {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string') subscriber.next(data)
        else subscriber.error(new Failure('disconnected', 'The other end sent a message that is no text'))
      })
      socket.addEventListener('close', () => subscriber.complete())
    }),
    send: (line) => socket.send(line),
    close: () => socket.close(),
    unsent: () => socket.bufferedAmount,
  })
}
