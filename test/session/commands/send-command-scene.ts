// Provides a slow reply, and a scene on a disk with slow syncs, for command tests.
import { faultyLog } from '../../support/faulty-log.ts'
import type { SessionScene } from '../../support/virtual-session.ts'

export const slow = { text: 'slow', delayMs: 100 }

/** A scene whose disk needs `syncMs` for a sync. */
export function syncing(syncMs: number, scene: SessionScene): SessionScene {
  const log = faultyLog()
  log.disk.syncMs = syncMs
  return { ...scene, log }
}
