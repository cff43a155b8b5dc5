// All that a host does with sessions as they are kept, open or not: each part is a file of its own.
import { manageSessions } from './manage-sessions.ts'
import { readSessions } from './read-sessions.ts'
import type { ReadStores } from './read-sessions.ts'
import { sessionFiles } from './session-files.ts'

export function keptSessions(stores: ReadStores) {
  return { ...manageSessions(stores.files), ...readSessions(stores), ...sessionFiles(stores.files) }
}
