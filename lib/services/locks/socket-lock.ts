// Takes the lock of a socket: one process listens there, and a dead one's lock is taken over.
import { takeLock, lockHolder } from '../../store/locks/session-lock.ts'
import { Failure } from '../../streams/values/failure.ts'

export type SocketLock =
  /** Ours until it is released. */
  | { readonly release: () => void }
  /** Another's; undefined if it is just being written, or changes hands: try again in a moment. */
  | { readonly heldBy: number | undefined }

/** Takes `<socket>.lock`, in the same way as the lock of a session's log. @throws Failure `storage` */
export function takeSocketLock(socket: string): SocketLock {
  try {
    const { release } = takeLock({ file: socket, sessionId: 'server', socket })
    return { release }
  } catch (thrown) {
    const { code, data } = Failure.from(thrown)
    if (code !== 'session_locked') throw thrown
    return { heldBy: typeof data['pid'] === 'number' ? data['pid'] : undefined }
  }
}

// Whether a living process has taken a socket's place, be it not yet listening there.

/** The id of the process that holds `<socket>.lock`; undefined if none that lives does. @throws Failure `storage` */
export function socketHolder(socket: string): number | undefined {
  return lockHolder(socket)?.pid
}
