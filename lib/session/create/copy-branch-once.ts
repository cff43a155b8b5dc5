// A branch is copied once for its opId: sent again, also after a restart, the command is answered with the session it made then.
import { EMPTY, catchError, concat, defer, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { BranchToCopy, CopiedBranch } from '../contract/branch-to-copy.ts'
import { copyBranch } from './copy-branch.ts'

/** As `copyBranch`; fails with `bad_request` too where the opId stood for another branch of this session. */
export function copyBranchOnce(branch: BranchToCopy): Observable<CopiedBranch> {
  return defer(() => {
    const { session, headEntryId } = madeBefore(branch) ?? {}
    if (session === undefined || headEntryId === undefined) return copyBranch(branch)
    return concat(durable(branch, session), of({ session, headEntryId }))
  })
}

/** Undefined where none was made, or not to its end. @throws Failure `bad_request`, `storage` */
function madeBefore({ log, store, opId, entryId }: BranchToCopy): CopiedBranch | undefined {
  const { id, cwd } = log.header
  const header = opId === undefined ? undefined : store.madeBy?.(opId, cwd, id)
  const headEntryId = header?.parent?.entryId
  if (opId === undefined || header === undefined || headEntryId === undefined) return undefined
  if (!isWhole({ store, opId }, header.id)) return undefined
  if (headEntryId === entryId) return { session: header.id, headEntryId }
  throw new Failure('bad_request', `opId "${opId}" was given to another branch_session; use a new one`)
}

function isWhole({ store, opId }: Pick<BranchToCopy, 'store' | 'opId'>, session: string): boolean {
  const { log } = store.open(session, { readOnly: true })
  try {
    for (const record of log.records()) if (record.opId === opId) return true
    return false
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'read_only') return false // damaged before its last line
    throw thrown
  } finally {
    log.close().subscribe()
  }
}

/** The process that made it may have ended before it was on the disk. Whoever holds it now has seen to that. */
function durable({ store }: BranchToCopy, session: string): Observable<never> {
  return defer(() => store.open(session).log.close()).pipe(
    catchError((thrown: unknown) => (isLocked(thrown) ? EMPTY : throwError(() => Failure.from(thrown)))),
  )
}

function isLocked(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.code === 'session_locked'
}
