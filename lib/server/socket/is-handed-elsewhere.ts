// A descriptor that was handed over is the socket at its path, unless the system says otherwise: a path checked is not the door opened.
import { fstatSync, readFileSync, statSync } from 'node:fs'

/**
 * Whether the descriptor is no socket, or (Linux) one that is bound to another path that is there. False where the system does
 * not say, and for a port, which is seen when it listens.
 */
export function isHandedElsewhere(descriptor: number, path: string): boolean {
  const inode = socketInode(descriptor)
  if (inode === undefined) return true
  const bound = boundPath(inode)
  return bound !== undefined && bound !== path && isAnotherFile(bound, path)
}

function socketInode(descriptor: number): string | undefined {
  try {
    const status = fstatSync(descriptor, { bigint: true })
    return status.isSocket() ? String(status.ino) : undefined
  } catch {
    return undefined // nothing was handed over
  }
}

/** A line of unix(7)'s table ends with the inode and, where the socket has one, the path that it was bound to. */
function boundPath(inode: string): string | undefined {
  const line = socketTable()
    .split('\n')
    .find((each) => each.split(/\s+/, 7)[6] === inode)
  return line && /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1]
}

function socketTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return '' // not Linux, or not to be read
  }
}

/** Of a path that is not there any more nothing can be said: the socket may have been renamed. */
function isAnotherFile(bound: string, path: string): boolean {
  const [one, other] = [bound, path].map((each) => statSync(each, { throwIfNoEntry: false }))
  return one !== undefined && !(one.dev === other?.dev && one.ino === other.ino)
}
