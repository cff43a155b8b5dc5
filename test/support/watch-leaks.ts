// Fails a test file that leaves resources behind, and sets its temporary folder (vitest.config.ts).
import { afterAll, vi } from 'vitest'
import { leftSince, ownTemporaryFolder, restoreGlobals, takeStock } from './no-leaks.ts'

const temporary = ownTemporaryFolder()
const before = takeStock()
const disposeAtExit = (): void => temporary[Symbol.dispose]()
process.once('exit', disposeAtExit) // a file that cannot be loaded has no hooks

// hooks run last in, first out: this one after all of the file's own
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  const changed = restoreGlobals(before)
  const left = await leftSince(before, { folder: temporary.path })
  process.off('exit', disposeAtExit)
  temporary[Symbol.dispose]()
  const faults = [...changed, ...left]
  if (faults.length > 0) throw new Error(`This test file left behind:\n${faults.slice(0, 50).join('\n')}`)
})
