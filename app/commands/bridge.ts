// Standard input and output become one connection of a server that runs already: bytes both ways, as fast as the slower end takes them.
import type { Socket } from 'node:net'
import { merge, map, mergeMap, take } from 'rxjs'
import { Observable } from 'rxjs'
import { dialSocket } from '../../lib/server/socket/connect-socket.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { signalExitCodes } from '../process/exit-code.ts'
import type { Ends } from './rpc.ts'
import type { ProcessWorld } from '../process/world.ts'

/** Emits the exit code: 0 when the server has ended the connection, as it does when it has answered all of an ended input. */
export function bridge(socket: string, ends: Ends, { signals$ }: Pick<ProcessWorld, 'signals$'>): Observable<number> {
  const passed$ = dialSocket(socket).pipe(mergeMap((connected) => passing(connected, ends)))
  return merge(passed$, signals$.pipe(map((signal) => signalExitCodes[signal]))).pipe(take(1))
}

/** Unsubscribing ends the connection. */
function passing(socket: Socket, { input, output }: Ends): Observable<number> {
  return new Observable((subscriber) => {
    socket.on('error', (cause) => {
      subscriber.error(new Failure('disconnected', `The connection broke: ${cause.message}`, { cause }))
    })
    socket.on('close', () => {
      subscriber.next(0)
      subscriber.complete()
    })
    output.on('error', () => {
      socket.destroy() // nobody reads on
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
