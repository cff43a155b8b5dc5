// Fails a test file that leaves resources behind, and sets its temporary folder (vitest.config.ts).
import { afterAll, vi } from 'vitest'
import { leftSince, restoreGlobals, takeStock } from './no-leaks.ts'
import { ownTemporaryFolder } from './temporary-folders.ts'

/** Ends the stay of the file before this one in its process. Vitest runs no hooks of a file whose tests are all skipped. */
const endOfStay = Symbol.for('rxpi.test.endOfStay')
const endLast: unknown = Reflect.get(globalThis, endOfStay)
if (typeof endLast === 'function') Reflect.apply(endLast, undefined, [])

const temporary = ownTemporaryFolder()
const before = takeStock()
// A file that cannot be loaded has no hooks; the runner ends its process by SIGTERM, which runs no exit handlers.
const disposeAtExit = (): void => temporary[Symbol.dispose]()
const disposeAtTermination = (): void => {
  disposeAtExit()
  process.kill(process.pid, 'SIGTERM') // this listener is gone: the default ends the process
}
process.once('exit', disposeAtExit)
process.once('SIGTERM', disposeAtTermination)
const endStay = (): void => {
  Reflect.deleteProperty(globalThis, endOfStay)
  process.off('exit', disposeAtExit)
  process.off('SIGTERM', disposeAtTermination)
  disposeAtExit()
}
Reflect.set(globalThis, endOfStay, endStay)

// hooks run last in, first out: this one after all of the file's own
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  const changed = restoreGlobals(before)
  const left = await leftSince(before, { folder: temporary.path })
  endStay()
  const faults = [...changed, ...left]
  if (faults.length > 0) throw new Error(`This test file left behind:\n${faults.slice(0, 50).join('\n')}`)
})
