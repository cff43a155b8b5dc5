// Transport over an accepted WebSocket, with the bounds of the Unix socket.
import type { Duplex } from 'node:stream'
import { Observable, takeUntil } from 'rxjs'
import type { WebSocket } from 'ws'
import { Failure } from '../../streams/values/failure.ts'
import { lineSender } from '../protocol/line-sender.ts'
import type { SenderLimits } from '../protocol/line-sender.ts'
import { disconnected, isBlank } from '../protocol/transport.ts'
import type { IncomingLine, Transport } from '../protocol/transport.ts'
import { messageFrames } from './message-frames.ts'

export interface AcceptedSocketOptions extends SenderLimits {
  readonly readBelow: number
  /** Milliseconds between two pings; a client that answers none in that time is disconnected. Default 30,000. */
  readonly pingMs?: number
}

/** The end of a WebSocket by a client that sends what the protocol does not have. */
const unsupportedData = 1003
const goingAway = 1001

/**
 * Carries lines over a socket that `ws` has accepted, one line a message, and owns it from then on. The lines of a tick
 * are framed once for all clients and written to `stream`, past the socket's own sender: it compresses nothing, so whole
 * frames of both may follow each other. `lines$` completes when the client has closed, and fails with `disconnected` if
 * it breaks the protocol, sends bytes, takes nothing for too long or answers no ping.
 */
export function acceptedSocket(socket: WebSocket, stream: Duplex, options: AcceptedSocketOptions): Transport {
  const { pingMs = 30_000, ...limits } = options
  const { sending, over$, end } = lineSender(stream, {
    ...limits,
    encoding: messageFrames,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    finish: () => socket.close(goingAway),
    release: () => {
      pings.stop()
      socket.terminate()
    },
  })
  const pings = pingWhileIdle(socket, { ms: pingMs, isIdle: () => sending.unsent() === 0, onSilence: end })
  watchEnd(socket, end)
  return {
    ...sending,
    lines$: incomingLines(socket).pipe(takeUntil(over$)),
    close: () => {
      sending.close()
      socket.resume() // so that the client's answer is read
    },
  }
}

/** Emits the lines of the client's messages; a message may hold several. For one subscriber, from the start. */
function incomingLines(socket: WebSocket): Observable<IncomingLine> {
  return new Observable((subscriber) => {
    const onMessage = (data: { toString(): string }, isBinary: boolean): void => {
      if (isBinary) {
        socket.close(unsupportedData, 'send text')
        subscriber.error(disconnected('the client sent a message that is no text'))
        return
      }
      for (const text of data.toString().split('\n')) if (!isBlank(text)) subscriber.next({ text })
    }
    socket.on('message', onMessage)
    return () => socket.off('message', onMessage)
  })
}

/** Calls `end` once the socket has closed or failed. The listeners stay: a closed socket can still fail. */
function watchEnd(socket: WebSocket, end: (failure?: Failure) => void): void {
  let problem: Error | undefined
  socket.on('error', (error) => (problem = error))
  socket.on('close', () => {
    if (problem === undefined) end()
    else end(disconnected(problem.message, { cause: problem }))
  })
}

interface PingOptions {
  readonly ms: number
  isIdle(): boolean
  onSilence(failure: Failure): void
}

/** Finds a client that is gone without a word; while it takes what was sent, the time limit of writing does. */
function pingWhileIdle(socket: WebSocket, { ms, isIdle, onSilence }: PingOptions): { stop(): void } {
  let hasAnswered = true
  const onSign = (): void => {
    hasAnswered = true
  }
  socket.on('pong', onSign).on('message', onSign)
  const timer = setInterval(() => {
    const isSilent = isIdle() && !hasAnswered
    hasAnswered = !isIdle()
    if (isSilent) onSilence(silentFailure('answered no ping', ms))
    else if (!hasAnswered) socket.ping()
  }, ms)
  return { stop: () => clearInterval(timer) }
}

function silentFailure(fault: string, ms: number): Failure {
  return new Failure('disconnected', `The client ${fault} for ${ms} ms`)
}
