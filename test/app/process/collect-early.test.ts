// Tests the V8 flags that keep the heap small.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Keeps about 10 MiB alive while it replaces it piece by piece, and prints the maximum of `heapUsed`. */
const program = `
const passing = []
let most = 0
for (let index = 0; index < 2_000_000; index += 1) {
  passing[index % 60_000] = { text: 'q' + index, list: [index, index] }
  if (index % 2_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
console.log(most)`

it('keeps the heap of a process close to its live data', () => {
  const module = JSON.stringify(path.resolve('app/process/collect-early.ts'))
  const early = maxOf(`import { collectEarly } from ${module}\ncollectEarly()\n${program}`)
  expect(early / maxOf(program)).toBeLessThan(0.85)
})

/**
 * The garbage collector runs on one thread: on a busy machine a concurrent marker is late and distorts the measurement.
 */
function maxOf(text: string): number {
  const flags = ['--single-threaded-gc', '--max-semi-space-size=8', '--input-type=module', '--eval', text]
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8', env: {} }))
}
