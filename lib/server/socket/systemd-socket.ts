// A socket that the system listens at, and hands to the server that it starts for it (sd_listen_fds(3), LISTEN_FDS).
import { fstatSync, readFileSync, statSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'

/** The first descriptor that is handed over. */
const firstDescriptor = 3

/**
 * The descriptor that was handed to this process; undefined where none was, or where it was meant for another process.
 * @throws Failure `bad_config` where there are several: one server has one socket
 */
export function systemdSocket(
  env: Readonly<Record<string, string | undefined>>,
  pid: number = process.pid,
): number | undefined {
  const { LISTEN_PID: owner, LISTEN_FDS: count } = env
  if (count === undefined || Number(owner) !== pid) return undefined
  if (count === '1') return firstDescriptor
  throw new Failure(
    'bad_config',
    `LISTEN_FDS is "${count}"; let the socket unit have one ListenStream, and rxpi one socket`,
  )
}

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
