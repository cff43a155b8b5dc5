// Tests the thread of the compiler: it returns the code of this thread, ends when it is idle, and is replaced.
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { compileInThread } from '../../../lib/extensions/loader/compile-in-thread.ts'
import type { SourceText } from '../../../lib/extensions/loader/compiled-code.ts'
import { compileSource } from '../../../lib/extensions/loader/jiti-loader.ts'
import { shareCompileCache } from '../../support/compile-cache.ts'

shareCompileCache()

let started = 0
const running = new Set<Worker>()
const onWorker = (worker: Worker): void => {
  started += 1
  running.add(worker)
  worker.once('exit', () => running.delete(worker))
}
const noneRuns = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve)) // Node emits `worker` later
  await vi.waitFor(() => expect([...running]).toEqual([]), { timeout: 15_000, interval: 20 })
}
beforeAll(() => {
  process.on('worker', onWorker)
})
afterAll(async () => {
  await noneRuns()
  process.off('worker', onWorker)
})

const text = (source: string, more: Partial<SourceText> = {}): SourceText => ({
  ...{ filename: '/extension/probe.tsx', source, async: true },
  ...more,
})

it.each([
  ['TypeScript', text('enum Kind { One }; export default Kind.One as number')],
  ['JSX', text('export default <b>{1}</b>')],
  ['what `require` loads', text("import path from 'node:path'; export { path }", { async: false })],
  ['JavaScript', text('export const one = 1', { filename: '/extension/probe.mjs' })],
  ['what does not parse', text('export default (')],
])('compiles %s as this thread does', (_, source) => {
  expect(compileInThread(source)).toBe(compileSource(source))
})

/** However slow the machine is, no further thread starts. */
const unwatched = { watchAfterMs: Infinity }

it('has one thread for modules after each other, which ends when none comes', async () => {
  await noneRuns()
  const before = started
  for (const one of ['1', '2', '3']) compileInThread(text(`export default ${one}`), unwatched)
  await vi.waitFor(() => expect(started).toBe(before + 1), { timeout: 15_000, interval: 20 }) // Node emits it later
  await noneRuns()
  compileInThread(text('export default 4'), unwatched)
  await vi.waitFor(() => expect(started).toBe(before + 2), { timeout: 15_000, interval: 20 })
}, 60_000)

it('names a module that the compiler refuses, or that takes too long, and goes on with the next', () => {
  const refused = text('export default 5', { filename: 'relative.ts' })
  expect(() => compileInThread(refused)).toThrow(/^relative\.ts cannot be compiled: .* absolute path/)
  const slow = text(`export default [${'1,'.repeat(200_000)}]`)
  expect(() => compileInThread(slow, { longestMs: 1 })).toThrow('it took more than 0.001 s')
  expect(compileInThread(text('export default 5'))).toContain('5')
})

it('notices at once that the memory does not suffice for a module, and goes on with the next', async () => {
  await noneRuns()
  const large = text(`export default [${'1,'.repeat(500_000)}]`)
  const limits = { longestMs: 120_000, memoryMb: 48, watchAfterMs: 1 }
  expect(() => compileInThread(large, limits)).toThrow('it took more than the 48 MiB that it may use')
  expect(compileInThread(text('export default 6'))).toContain('6')
}, 180_000)
