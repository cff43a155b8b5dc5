// Tests that V8 compiles functions after fewer calls.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import { isFull } from '../../support/sample-size.ts'

/**
 * Calls a function up to 60 times, once per turn of the event loop, and prints whether V8 has compiled it. V8 compiles
 * on other threads.
 */
const program = `
import { setTimeout as pause } from 'node:timers/promises'
const sum = ({ list }) => list.reduce((all, each) => all + each, 0)
const isCompiled = () => (%GetOptimizationStatus(sum) & 1 << 4) !== 0 // by either of V8's optimising compilers
await pause(20)
for (let call = 0; call < 60 && !isCompiled(); call += 1) {
  sum({ list: [1, 2, call] })
  await pause(call < 30 ? 0 : 50)
}
console.log(isCompiled())`

it('lets V8 compile a function after some twenty calls', () => {
  const module = JSON.stringify(path.resolve('app/process/compile-early.ts'))
  const early = `import { compileEarly } from ${module}\ncompileEarly(0)\n${program}`
  expect([output(program), output(early)]).toEqual(['false', 'true'])
  if (isFull) expect(output(early, { RXPI_WITHOUT: 'compile-early' })).toBe('false')
})

it.runIf(isFull)('ends when an extension gets a thread', () => {
  const module = JSON.stringify(path.resolve('app/process/compile-early.ts'))
  const start = (name: string): string => `import { compileEarly } from ${module}
import { Worker } from 'node:worker_threads'
compileEarly(0)
await new Promise((resolve) => setTimeout(resolve, 20))
new Worker('', { eval: true, name: '${name}' })
${program}`
  expect([output(start('extension sample')), output(start('pattern'))]).toEqual(['false', 'true'])
})

function output(text: string, env = {}): string {
  const flags = ['--allow-natives-syntax', '--input-type=module', '--eval', text]
  return execFileSync(process.execPath, flags, { encoding: 'utf8', env }).trim()
}
