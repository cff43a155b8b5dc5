// Answers `server_status`: where a server is, how long it runs, its sessions and its memory.
import type { ResultOf } from '../../streams/commands/command.ts'
import type { ServedSession } from '../feed/served-session.ts'
import type { HelloFrame } from '../protocol/frame.ts'
import { activityEnd } from '../sessions/idle-eviction.ts'

/** How a server was started, and when it exits; for servers that other processes can reach. */
export interface ServerPlace {
  /** The path of its socket. */
  readonly socket?: string | undefined
  readonly startedBy?: 'person' | 'client' | 'socket' | undefined
  /** Milliseconds without client and run after which it exits. */
  readonly idleExitMs?: number | undefined
}

interface LiveCounts {
  readonly clients: number
  readonly sessions: ReadonlySet<ServedSession>
  /** The address of the gateway. */
  readonly http?: string | undefined
}

type StatusFields = Pick<ResultOf<'server_status'>, keyof ServerPlace> // without the undefined fields

/** Returns a function that answers `server_status`; the uptime counts from this call. */
export function serverStatus(
  { pid, version, epoch }: HelloFrame['server'],
  address: ServerPlace,
  count: () => LiveCounts,
): () => ResultOf<'server_status'> {
  const startedAt = Date.now()
  const startedNs = process.hrtime.bigint() // `performance` takes a millisecond to load
  const statusFields = Object.fromEntries(
    Object.entries(address).filter(([, value]) => value !== undefined),
  ) as StatusFields
  return () => {
    const { clients, sessions, http } = count()
    const { rss, heapUsed } = process.memoryUsage()
    return {
      pid,
      version,
      epoch,
      startedAt,
      uptimeMs: Number((process.hrtime.bigint() - startedNs) / 1_000_000n),
      ...statusFields,
      ...(http === undefined ? {} : { http }),
      clients,
      sessions: {
        open: sessions.size,
        running: [...sessions].filter(isRunning).length,
        active: [...sessions].filter((served) => activityEnd(served) !== undefined).length,
      },
      memory: { rssBytes: rss, heapUsedBytes: heapUsed },
    }
  }
}

function isRunning({ session }: ServedSession): boolean {
  return session.state$.value.running !== undefined
}
