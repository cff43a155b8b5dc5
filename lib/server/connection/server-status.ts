// What a server says of itself: who it is does not change, the rest is looked at when it is asked.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import type { ServedSession } from '../feed/served-session.ts'

/** How a server came to be, and when it goes; for those that other processes can reach. */
export interface ServerPlace {
  /** The path of its socket. */
  readonly socket?: string | undefined
  readonly startedBy?: 'person' | 'client' | 'socket' | undefined
  /** Milliseconds without client and run after which it ends. */
  readonly idleExitMs?: number | undefined
}

interface Looked {
  readonly clients: number
  readonly sessions: ReadonlySet<ServedSession>
}

/** A function that answers `server_status`; its clock begins now. */
export function serverStatus(
  { pid, version, epoch }: HelloFrame['server'],
  place: ServerPlace,
  look: () => Looked,
): () => ResultOf<'server_status'> {
  const startedAt = Date.now()
  const begun = process.hrtime.bigint() // not `performance`, which takes a millisecond to load
  const told = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)) as StatedPlace
  return () => {
    const { clients, sessions } = look()
    const { rss, heapUsed } = process.memoryUsage()
    return {
      pid,
      version,
      epoch,
      startedAt,
      uptimeMs: Number((process.hrtime.bigint() - begun) / 1_000_000n),
      ...told,
      clients,
      sessions: { open: sessions.size, running: [...sessions].filter(isRunning).length },
      memory: { rssBytes: rss, heapUsedBytes: heapUsed },
    }
  }
}

type StatedPlace = Pick<ResultOf<'server_status'>, keyof ServerPlace> // what is undefined was left out

function isRunning({ session }: ServedSession): boolean {
  return session.state$.value.running !== undefined
}
