// Takes the lock of a socket: one process listens there, and a dead one's lock is taken over.
import { takeLock, lockHolder } from '../../store/locks/session-lock.ts'
import { Failure } from '../../streams/values/failure.ts'

export type SocketLock =
  /** The lock is ours until it is released. */
  | { readonly release: () => void }
  /** Another process holds it; undefined while the lock is being written or changes hands: try again shortly. */
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

/** The id of the living process that holds `<socket>.lock`, also before it listens. @throws Failure `storage` */
export function socketHolder(socket: string): number | undefined {
  return lockHolder(socket)?.pid
}
