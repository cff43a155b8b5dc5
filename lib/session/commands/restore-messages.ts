// Words the outcome of a restore: results, and the failures that name files.
import type { FileReason, RestorePlan } from '../../streams/ports/snapshots.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'

/** Items of each list in a response. */
export const maxListed = 1_000
/** Items of a list in a message. */
const maxNamed = 5

/** The result of a dry run. */
export function planResult({
  changes,
  conflicts,
  kept: skipped,
}: Pick<RestorePlan, 'changes' | 'conflicts' | 'kept'>): object {
  const paths = changes.map(({ path }) => path)
  return {
    paths: firstListed(paths),
    changes: firstListed(changes),
    conflicts: firstListed(conflicts),
    kept: firstListed(skipped),
  }
}

/** The first items of a list. */
export function firstListed<Item>(list: readonly Item[]): Item[] {
  return list.slice(0, maxListed)
}

/** No file was changed: restoring would lose changes that are not the agent's. */
export function conflictFailure(conflicts: readonly FileReason[]): Failure {
  const named = conflicts.slice(0, maxNamed).map(({ path, reason }) => `${path} (${reason})`)
  const message = `No file was changed, because a restore would lose other changes: ${listed(named, conflicts.length)}. Send force: true to restore the files anyway`
  return new Failure('not_allowed', message, { data: { conflicts: conflicts.slice(0, 100) } })
}

/** A branch in a new file restores nothing here. */
export function newFileFailure(): Failure {
  return new Failure('bad_request', 'newFile cannot be combined with restoreFiles or dryRun; leave them out')
}

/** No file was changed: no snapshot holds the files of that entry. */
export function unknownFilesFailure(reason: string): Failure {
  const message = `The files at that entry are unknown: ${reason}. To move only the conversation, send branch_session without restoreFiles`
  return new Failure('bad_request', message)
}

/** Some files were restored, and the head did not move. */
export function halfDoneFailure(done: number, { changes, snapshotBefore }: RestorePlan, cause: Failure): Failure {
  const message = `Restored ${done} of ${changes.length} files, then failed: ${describeThrown(cause)}. The conversation did not move; snapshot ${snapshotBefore} holds the earlier files`
  return new Failure(cause.code, message, { data: cause.data, cause })
}

function listed(named: readonly string[], all: number): string {
  return all > named.length ? `${named.join(', ')} and ${all - named.length} more` : named.join(', ')
}
