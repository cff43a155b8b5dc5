// Connects standard input and output with the socket of a running server, with back-pressure.
import type { Socket } from 'node:net'
import { mergeMap, Observable } from 'rxjs'
import { dialSocket } from '../../lib/server/socket/connect-socket.ts'
import { Failure, describeThrown } from '../../lib/streams/values/failure.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import type { Ends } from './rpc.ts'
import type { ProcessWorld } from '../process/world.ts'

/**
 * Emits exit code 0 when the server closes the connection. The server does so after it has answered all of an ended
 * input.
 */
export function bridge(socket: string, ends: Ends, { signals$ }: Pick<ProcessWorld, 'signals$'>): Observable<number> {
  return dialSocket(socket).pipe(
    mergeMap((connected) => pipeBoth(connected, ends)),
    endAtSignal(signals$),
  )
}

/** Unsubscribing ends the connection. */
function pipeBoth(socket: Socket, { input, output }: Ends): Observable<number> {
  return new Observable((subscriber) => {
    socket.on('error', (cause) => {
      subscriber.error(new Failure('disconnected', `The connection broke: ${describeThrown(cause)}`, { cause }))
    })
    socket.on('close', () => {
      subscriber.next(0)
      subscriber.complete()
    })
    output.on('error', () => {
      socket.destroy() // the reader is gone
    })
    input.pipe(socket)
    socket.pipe(output, { end: false })
    socket.on('end', () => socket.end())
    return () => {
      input.unpipe(socket)
      input.destroy()
      socket.destroy()
    }
  })
}
