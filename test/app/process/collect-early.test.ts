import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

/** Holds some 10 MiB, throws it away again and again, piece by piece, and tells the most that the heap has held. */
const program = `
const passing = []
let most = 0
for (let index = 0; index < 2_000_000; index += 1) {
  passing[index % 60_000] = { text: 'q' + index, list: [index, index] }
  if (index % 2_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
console.log(most)`

it('keeps the heap of a process near what it holds', () => {
  const module = JSON.stringify(path.resolve('app/process/collect-early.ts'))
  const early = mostOf(`import { collectEarly } from ${module}\ncollectEarly()\n${program}`)
  expect(early / mostOf(program)).toBeLessThan(0.85)
})

/** On one thread: on a busy machine the one that marks beside it comes late, and says nothing of the limit. */
function mostOf(text: string): number {
  const flags = ['--single-threaded-gc', '--max-semi-space-size=8', '--input-type=module', '--eval', text]
  return Number(execFileSync(process.execPath, flags, { encoding: 'utf8', env: {} }))
}
