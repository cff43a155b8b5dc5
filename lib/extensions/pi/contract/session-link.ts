// Connects the names that a module of pi imports with the session that loads it.
import type { PiRecord } from './pi-shapes.ts'

/** As `modelRegistry.complete`: the answer, whose stop reason is `error` if the model fails. */
export type PiComplete = (model: PiRecord, context: PiRecord, options?: PiRecord) => Promise<PiRecord>

/** Empty until the module is set up: at its top level there is no session. */
export interface SessionLink {
  complete?: PiComplete
}
