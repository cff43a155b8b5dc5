// Whether a living process has taken a socket's place, be it not yet listening there.
import { lockHolder } from '../../store/locks/session-lock.ts'

/** The id of the process that holds `<socket>.lock`; undefined where none that lives does. @throws Failure `storage` */
export function socketHolder(socket: string): number | undefined {
  return lockHolder(socket)?.pid
}
