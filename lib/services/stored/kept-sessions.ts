// All that a host does with sessions as they are kept, open or not: each part is a file of its own.
import { changeClosed } from './change-closed.ts'
import type { ClosedSurroundings } from './change-closed.ts'
import { getBlob } from './get-blob.ts'
import { getDiff } from './get-diff.ts'
import { manageSessions } from './manage-sessions.ts'
import { openIn } from './open-in.ts'
import { readSessions } from './read-sessions.ts'
import type { ReadStores } from './read-sessions.ts'
import { sessionFiles } from './session-files.ts'
import type { SessionHost } from '../contract/session-host.ts'

/** The parts of a host that need its stores alone; `surroundings` are asked for when a session that is not open is changed. */
export function keptSessions(stores: ReadStores, surroundings: () => ClosedSurroundings) {
  const { memory, files } = stores
  const changing: Pick<SessionHost, 'changeClosed'> = {
    changeClosed: (command, { opId } = {}) =>
      changeClosed(command, {
        open: (session, options) => openIn([memory, files], session, options),
        surroundings,
        opId,
      }),
  }
  const reading: Pick<SessionHost, 'getBlob'> = { getBlob: (command) => getBlob(stores, command) }
  return {
    ...reading,
    ...manageSessions(files),
    ...readSessions(stores),
    ...sessionFiles(files),
    ...changing,
    ...getDiff(stores, surroundings),
  }
}
