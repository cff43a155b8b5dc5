// A server lives on where somebody removed its socket, as programs do that tidy /tmp; then its lock alone says who it is.
import { socketHolder } from '../../services/locks/socket-lock.ts'
import { Failure } from '../../streams/values/failure.ts'

/**
 * That a process holds the place of a socket at which nobody could be reached, as a failure with its `pid` among the data;
 * undefined where none that lives does. @throws Failure `storage`
 */
export function hiddenServer(socket: string): Failure | undefined {
  const pid = socketHolder(socket)
  if (pid === undefined) return undefined
  const message = `Process ${pid} serves at ${socket}, but its socket is gone or it does not listen yet; where it stays so, kill ${pid} ends it in order`
  return new Failure('no_server', message, { data: { socket, pid } })
}
