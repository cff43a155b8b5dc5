// Logs are verified and repaired as files, whether their session is open or can be opened at all.
import { defer, filter, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { repairLog, verifyLog } from '../../store/index.ts'
import { inSlices } from '../../host/process/in-slices.ts'
import type { FileStore, LogVerdict } from '../../store/index.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import { absolutePath } from './absolute-path.ts'
import type { SessionHost } from '../contract/session-host.ts'

/** What a host does with the files of its sessions, and with such files elsewhere. */
export function sessionFiles(store: FileStore): Pick<SessionHost, 'verifySession' | 'repairSession'> {
  return {
    verifySession: (target) => defer(() => lastOf(verifyLog(fileOf(store, target), store.blobs)).pipe(map(told))),
    repairSession: (target) =>
      defer(() =>
        lastOf(repairLog(fileOf(store, target), store.blobs)).pipe(
          map(({ repaired, lost, changed, ...verdict }) => {
            const copy = repaired === undefined ? {} : { repaired }
            return { ...told(verdict), ...copy, lost: [...lost], changed: [...changed] }
          }),
        ),
      ),
  }
}

/** What the steps come to, done in slices; unsubscribing ends them. */
function lastOf<Result>(steps: Generator<undefined, Result>): Observable<Result> {
  function* toItsResult(): Generator<Result | undefined, void> {
    yield yield* steps
  }
  return inSlices(toItsResult).pipe(filter((result) => result !== undefined))
}

type Target = Omit<CommandNamed<'verify_session'>, 'type'>

function fileOf(store: FileStore, { session, file }: Target): string {
  if (session !== undefined && file === undefined) return store.fileOf(session)
  if (session !== undefined || file === undefined) throw new Failure('bad_request', 'Give either session or file')
  return absolutePath('file', file)
}

function told({ damages, ...verdict }: LogVerdict) {
  return { ...verdict, damages: damages.map((damage) => ({ ...damage })) }
}
