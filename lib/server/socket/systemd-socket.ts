// Finds the socket that systemd passes to a server that it starts (sd_listen_fds(3), LISTEN_FDS).
import { fstatSync, readFileSync, statSync } from 'node:fs'
import { Failure } from '../../streams/values/failure.ts'

/** The first descriptor that systemd passes. */
const firstDescriptor = 3

/**
 * Returns the descriptor that was passed to this process; undefined if none was, or it was meant for another process.
 * @throws Failure `bad_config` if several were passed: a server has one socket
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
    `LISTEN_FDS is "${count}"; give the socket unit one ListenStream: rxpi has one socket`,
  )
}

/**
 * Whether the descriptor is not a socket, or (Linux) a socket that is bound to another existing path. False if the
 * system does not tell, and for a port, which is found when it listens.
 */
export function isBoundElsewhere(descriptor: number, path: string): boolean {
  const inode = socketInode(descriptor)
  if (inode === undefined) return true
  const bound = findBoundPath(inode)
  return bound !== undefined && bound !== path && isAnotherFile(bound, path)
}

function socketInode(descriptor: number): string | undefined {
  try {
    const status = fstatSync(descriptor, { bigint: true })
    return status.isSocket() ? String(status.ino) : undefined
  } catch {
    return undefined // no such descriptor
  }
}

/** A line of unix(7)'s table ends with the inode and the path that the socket was bound to, if it has one. */
function findBoundPath(inode: string): string | undefined {
  const line = readSocketTable()
    .split('\n')
    .find((each) => each.split(/\s+/, 7)[6] === inode)
  return line && /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1]
}

function readSocketTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return '' // not Linux, or not readable
  }
}

/** False for a path that does not exist: the socket may have been renamed. */
function isAnotherFile(bound: string, path: string): boolean {
  const [one, other] = [bound, path].map((each) => statSync(each, { throwIfNoEntry: false }))
  return one !== undefined && !(one.dev === other?.dev && one.ino === other.ino)
}
