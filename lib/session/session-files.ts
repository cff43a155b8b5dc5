// Logs are verified and repaired as files, whether their session is open or can be opened at all.
import { defer, of } from 'rxjs'
import { repairLog, verifyLog } from '../store/index.ts'
import type { FileStore, LogVerdict } from '../store/index.ts'
import type { CommandNamed } from '../streams/command.ts'
import { Failure } from '../streams/failure.ts'
import { absolutePath } from './absolute-path.ts'
import type { SessionHost } from './session-host.ts'

/** What a host does with the files of its sessions, and with such files elsewhere. */
export function sessionFiles(store: FileStore): Pick<SessionHost, 'verifySession' | 'repairSession'> {
  return {
    verifySession: (target) => defer(() => of(told(verifyLog(fileOf(store, target), store.blobs)))),
    repairSession: (target) =>
      defer(() => {
        const { repaired, lost, changed, ...verdict } = repairLog(fileOf(store, target), store.blobs)
        const copy = repaired === undefined ? {} : { repaired }
        return of({ ...told(verdict), ...copy, lost: [...lost], changed: [...changed] })
      }),
  }
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
