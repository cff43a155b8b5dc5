// A session's log in memory; a test makes its disk full, slow or broken.
import { defer, mergeMap, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { memoryStore } from '../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { SessionLog, SessionStore } from '../../lib/streams/ports/session-log.ts'

/** The fault of the disk; the test changes it while the session runs. */
export interface Disk {
  /** Every write fails. */
  full: boolean
  /** Milliseconds until a sync completes; 0 = at once. */
  syncMs: number
  /** Syncs fail. */
  broken: boolean
}

export interface FaultyLog {
  readonly log: SessionLog
  readonly disk: Disk
  /** The calls of the log, in order: `append 1`, `checkpoint`, `sync`, `durable`, `close`. */
  readonly sentRequests: readonly string[]
  /** Reopens the log, as another process does. */
  reopen(): SessionLog
}

export const fullDisk = (): Failure => new Failure('storage', 'ENOSPC: no space left on device')

export function faultyLog(store: SessionStore = memoryStore()): FaultyLog {
  const disk: Disk = { full: false, syncMs: 0, broken: false }
  const requests: string[] = []
  const inner = store.create({ id: 'sessionaaaaa', createdAt: 1, cwd: '/somewhere' })
  const write = <Value>(what: string, act: () => Value): Value => {
    requests.push(what)
    if (disk.full) throw fullDisk()
    return act()
  }
  const log: SessionLog = {
    header: inner.header,
    headerLine: inner.headerLine,
    get head() {
      return inner.head
    },
    append: (body) => write(`append ${/"seq":(\d+)/.exec(body)?.[1] ?? ''}`, () => inner.append(body)),
    checkpoint: (body) => {
      write('checkpoint', () => {
        inner.checkpoint(body)
      })
    },
    sync: () => {
      requests.push('sync')
    },
    durable: () => {
      requests.push('durable')
      return synced(disk, inner)
    },
    records: (after) => inner.records(after),
    checkpoints: () => inner.checkpoints(),
    close: () => {
      requests.push('close')
      return inner.close()
    },
  }
  return { log, disk, sentRequests: requests, reopen: () => store.open(inner.header.id).log }
}

function synced(disk: Disk, inner: SessionLog): Observable<void> {
  return defer(() => {
    const { syncMs } = disk
    const done$ = defer(() => (disk.broken ? throwError(() => new Failure('storage', 'EIO: sync')) : inner.durable()))
    return syncMs === 0 ? done$ : timer(syncMs).pipe(mergeMap(() => done$))
  })
}
