// A socket that the system listens at, and hands to the server that it starts for it (sd_listen_fds(3), LISTEN_FDS).
import { Failure } from '../../streams/values/failure.ts'

/** The first descriptor that is handed over. */
const firstDescriptor = 3

/**
 * The descriptor that was handed to this process; undefined where none was, or where it was meant for another process.
 * @throws Failure `bad_config` where there are several: one server has one socket
 */
export function handedSocket(
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
