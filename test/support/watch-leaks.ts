// Fails a test file that leaves resources behind, and sets its temporary folder (vitest.config.ts).
import { afterAll } from 'vitest'
import { leftSince, ownTemporaryFolder, takeStock } from './no-leaks.ts'

const temporary = ownTemporaryFolder()
const before = takeStock()
// a file that cannot be loaded has no hooks
process.once('exit', () => {
  temporary[Symbol.dispose]()
})

// hooks run last in, first out: this one after all of the file's own
afterAll(async () => {
  const left = await leftSince(before, { folder: temporary.path })
  temporary[Symbol.dispose]()
  if (left.length > 0) throw new Error(`This test file left behind:\n${left.slice(0, 50).join('\n')}`)
})
