// Decides about the trust of extensions for a person, records each decision, and reports changes.
// Guarantees: the audit line precedes the change; a change of another process is seen within a second.
import { Subject, defer, distinctUntilChanged, map, merge, of, share, skip, startWith } from 'rxjs'
import type { Observable } from 'rxjs'
import { watchFile } from '../../host/files/file-changes.ts'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import type { ExtensionRecord, ExtensionTrustState } from '../../streams/config/extension-trust-schema.ts'
import type { ExtensionAuditEntry } from '../../streams/commands/extension-commands.ts'
import { appendAudit, readAudit } from './audit-log.ts'
import type { AuditPage, AuditQuery } from './audit-log.ts'
import { extensionTrustFile, readRecords, recordsStamp, trustState, writeRecords } from './trust-records.ts'
import type { ExtensionRecords } from './trust-records.ts'

export interface ExtensionTrustOptions {
  /** `$RXPI_HOME`, absolute. */
  readonly home: string
  /** Subscribes to `work()` while no other process changes `file`. */
  locked<Value>(file: string, work: () => Observable<Value>): Observable<Value>
}

/** A decision of a person, sent by a client. */
export interface TrustChange {
  readonly id: string
  readonly name: string
  /** The content that the person saw. */
  readonly digest: string
  /** `pending` removes the decision. */
  readonly next: ExtensionTrustState
  /** Changed content needs no new decision. Default false. */
  readonly isDev?: boolean
  /** It runs in a worker thread. Default false. */
  readonly isIsolated?: boolean
  /** Built-in tools that it may replace. Default: none. */
  readonly mayReplace?: readonly string[]
  readonly reason: string
  /** The client that decided, by name, or the part of rxpi that acts for a person. */
  readonly operator: string
}

export interface ExtensionTrust {
  /** The decisions as they are on the disk. @throws Failure `bad_config` */
  records(): ExtensionRecords
  /** @throws Failure `bad_config` */
  stateOf(id: string, digest: string): ExtensionTrustState
  /** Emits the new state when it is on the disk, and completes; fails with `bad_config` or `storage`. */
  set(change: TrustChange): Observable<ExtensionTrustState>
  /**
   * Emits the decisions after each change, also of another process; never completes or fails. A damaged file emits no
   * decisions, so that nothing goes on. Shared: one watch for all subscribers.
   */
  readonly changes$: Observable<ExtensionRecords>
  /** Adds a line about a load, or about a use of a capability, before it happens. @throws Failure `storage` */
  audit(entry: Omit<ExtensionAuditEntry, 'time'>): void
  readAudit(query: AuditQuery): AuditPage
}

export function extensionTrust({ home, locked }: ExtensionTrustOptions): ExtensionTrust {
  const own$ = new Subject<void>()
  const stamp$ = defer(() => merge(own$, watchFile(home)).pipe(startWith(undefined)))
  return {
    records: () => readRecords(home),
    stateOf: (id, digest) => trustState(readRecords(home).get(id), digest),
    set: (change) =>
      defer(() => {
        ensurePrivateFolder(home)
        return locked(extensionTrustFile(home), () => {
          applyChange(home, change)
          return of(change.next)
        })
      }).pipe(
        map((next) => {
          own$.next()
          return next
        }),
      ),
    changes$: stamp$.pipe(
      map(() => recordsStamp(home)),
      distinctUntilChanged(),
      skip(1), // as it was at the subscription
      map(() => readOrNone(home)),
      share(),
    ),
    audit: (entry) => {
      appendAudit(home, { time: Date.now(), ...entry }, false)
    },
    readAudit: (query) => readAudit(home, query),
  }
}

function applyChange(
  home: string,
  { id, name, digest, next, isDev, isIsolated, mayReplace = [], ...why }: TrustChange,
): void {
  const records = new Map(readRecords(home))
  const previous = trustState(records.get(id), digest)
  const activated = next === 'trusted' || next === 'acknowledged'
  appendAudit(home, { time: Date.now(), id, name, activated, ...why, previous, next, digest }, true)
  records.delete(id)
  if (next !== 'pending') {
    const record: ExtensionRecord = {
      ...{ state: next, digest, at: Date.now() },
      ...(isDev === true && activated ? { dev: true } : {}),
      ...(isIsolated === true && activated ? { isolate: true } : {}),
      ...(mayReplace.length > 0 && activated ? { mayReplace: [...mayReplace] } : {}),
    }
    records.set(id, record)
  }
  writeRecords(home, records)
}

function readOrNone(home: string): ExtensionRecords {
  try {
    return readRecords(home)
  } catch {
    return new Map() // nothing is trusted by a damaged file; whoever opens a session reads why
  }
}
