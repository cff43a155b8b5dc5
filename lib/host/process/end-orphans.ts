// Ends tool processes whose rxpi and guardian were killed together (docs/design/security.md#S29).
// Guarantees: only processes of this user are ended, and only if their mark names an rxpi that has ended.
import { concatMap, from, map, takeWhile, timer } from 'rxjs'
import { isAlive, pidNamespace, processMarkOwner } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { isOwnProcess, listPids, readEnvironment, readProcess } from './process-table.ts'

/** Milliseconds between passes; several, because a fork may be in flight. */
const passDelays = [5, 10, 20, 40, 80, 160, 320]

interface Orphan {
  readonly name: string
  readonly owners: readonly string[]
}

/**
 * Sends SIGKILL to the orphans and returns their program names, those of `owner` alone if it is passed; goes on in the
 * background for up to 635 ms if it found any. Without /proc (macOS) it finds none.
 */
export function endOrphans(owner?: ProcessIdentity): readonly string[] {
  const found = killOrphans()
  if (found.length > 0)
    from(passDelays)
      .pipe(
        concatMap((ms) => timer(ms)),
        map(killOrphans),
        takeWhile((left) => left.length > 0),
      )
      .subscribe()
  const reported = owner === undefined ? found : found.filter(({ owners }) => owners.some((each) => isOf(each, owner)))
  return reported.map(({ name }) => name)
}

function isOf(mark: string, { pid, startTime, bootId }: ProcessIdentity): boolean {
  const parsed = processMarkOwner(mark)
  return parsed?.pid === pid && parsed.startTime === startTime && parsed.bootId === bootId
}

function killOrphans(): readonly Orphan[] {
  const spared = ownAncestors()
  const areAlive = new Map<string, boolean>()
  const isDead = (owner: string): boolean => {
    const known = areAlive.get(owner) ?? isOwnerAlive(owner)
    areAlive.set(owner, known)
    return !known
  }
  return (listPids() ?? []).flatMap((pid) => {
    if (spared.has(pid) || !isOwnProcess(pid)) return []
    const owners = ownersOf(pid)
    if (!owners.some(isDead)) return []
    const entry = readProcess(pid)
    return entry !== undefined && kill(pid) ? [{ name: entry.name, owners }] : []
  })
}

/** This process and those that it descends from: an rxpi may run in a shell that an ended rxpi started. */
function ownAncestors(): ReadonlySet<number> {
  const found = new Set<number>()
  for (let pid = process.pid; pid > 0 && !found.has(pid); pid = readProcess(pid)?.parent ?? 0) found.add(pid)
  return found
}

const markPattern = /(?:^|\0)RXPI_CALL_[0-9a-f]{32}_\d+=([^\0]+)/g

/** The values of the process's marks. */
function ownersOf(pid: number): readonly string[] {
  const environment = readEnvironment(pid) ?? ''
  return environment.includes('RXPI_CALL_') ? [...environment.matchAll(markPattern)].map(([, owner = '']) => owner) : []
}

/** True in doubt: for the mark of an older build or of another pid namespace (a container). */
function isOwnerAlive(owner: string): boolean {
  const parsed = processMarkOwner(owner)
  return parsed === undefined || parsed.namespace !== pidNamespace() || isAlive(parsed)
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false // it has ended meanwhile
  }
}
