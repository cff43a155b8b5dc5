// Finds the processes of one call by process group, mark and descent.
// Guarantees: neither setsid nor a cleaned environment alone hides one; processes older than the call never count.
import { hasVariable, listPids, readProcess } from './process-table.ts'
import type { ProcessEntry } from './process-table.ts'

export interface CallProcesses {
  /** The living members. Without /proc: the leader's group as one entry while it has members. */
  members(): readonly ProcessEntry[]
  /** Sends a signal to all members, to the group in one call; returns the receivers. */
  signal(signal: NodeJS.Signals): readonly ProcessEntry[]
}

export interface CallIdentity {
  /** The pid of the leader of the call's process group. */
  readonly leader: number
  /** The variable that marks its processes. */
  readonly mark: string
  /** All pids just before its start; undefined if there is no /proc. */
  readonly before: ReadonlySet<number> | undefined
  /** True if the leader only runs the others and ends with them: it gets no SIGTERM, so that they can end by it. */
  readonly isSupervisor?: boolean
}

/**
 * Tracks the processes of a call. A found process stays known by pid and start time, whatever happens to its parents.
 */
export function trackProcesses(identity: CallIdentity): CallProcesses {
  const members =
    identity.before === undefined ? () => groupAsEntry(identity.leader) : memberFinder(identity, identity.before)
  return {
    members,
    signal: (signal) => {
      const found = members()
      if (identity.isSupervisor === true && signal === 'SIGTERM') {
        for (const { pid } of found) if (pid !== identity.leader) send(pid, signal)
        return found
      }
      if (found.some(({ group }) => group === identity.leader)) send(-identity.leader, signal)
      for (const { pid, group } of found) if (group !== identity.leader) send(pid, signal)
      return found
    },
  }
}

function memberFinder({ leader, mark }: CallIdentity, before: ReadonlySet<number>): () => readonly ProcessEntry[] {
  const known = new Map<number, string>()
  let hasGroupEmptied = false // afterwards its number may be reused
  const isMember = (entry: ProcessEntry): boolean =>
    known.get(entry.pid) === entry.startTime ||
    (entry.group === leader && !hasGroupEmptied) ||
    hasVariable(entry.pid, mark)
  return () => {
    const others = (listPids() ?? []).filter((pid) => !before.has(pid)).map(readProcess)
    const found = withDescendants(
      others.filter((entry) => entry !== undefined),
      isMember,
    )
    for (const { pid, startTime } of found) known.set(pid, startTime)
    if (!found.some(({ group }) => group === leader)) hasGroupEmptied = true
    return found
  }
}

function withDescendants(
  entries: readonly ProcessEntry[],
  belongs: (entry: ProcessEntry) => boolean,
): readonly ProcessEntry[] {
  const found = new Map(entries.filter(belongs).map((entry) => [entry.pid, entry]))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const entry of entries) if (found.has(entry.parent)) found.set(entry.pid, entry)
  }
  return [...found.values()]
}

function groupAsEntry(leader: number): readonly ProcessEntry[] {
  return send(-leader, 0) ? [{ pid: leader, parent: 0, group: leader, startTime: '', name: 'process group' }] : []
}

/** False if no process received it. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // a process exists, but this user may not signal it
  }
}
