// Tests that a watched tree costs nothing while no file changes: timers and looks at files are counted.
import * as fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import type { InstructionSet } from '../../../lib/context/instructions/instruction-set.ts'
import { instructions$ } from '../../../lib/context/instructions/watch-instructions.ts'
import { instructionWorkspace } from './instruction-place.ts'

vi.mock('node:fs', { spy: true })

afterEach(() => {
  vi.useRealTimers()
})

/** Calls of the functions of `node:fs` so far. */
function looks(): number {
  const spied = Object.values(fs).filter((value) => vi.isMockFunction(value))
  return spied.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

it('an idle tree of 50 folders starts no timer and looks at no file in an hour; a change does [CONTEXT-instructions-idle]', async () => {
  const folders = Array.from({ length: 50 }, (_, depth) => `repo/${'sub/'.repeat(depth)}`)
  const files = folders.map((folder) => [`${folder}AGENTS.md`, `Rules of ${folder}`] as const)
  using workspace = instructionWorkspace({ 'repo/.git/HEAD': 'ref: refs/heads/main\n', ...Object.fromEntries(files) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] })
  const sets: InstructionSet[] = []
  const watching = instructions$({ cwd: workspace.path(folders.at(-1) ?? '') }).subscribe((set) => sets.push(set))
  expect(sets[0]?.files).toHaveLength(50)
  for (let turn = 0; turn < 20; turn++) await setImmediate() // events of the writes before
  vi.runOnlyPendingTimers()
  const before = looks()
  expect(before).toBeGreaterThan(50)
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(3_600_000)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect([vi.getTimerCount(), looks(), sets.length]).toEqual([0, before, 1])

  workspace.write('repo/AGENTS.md', 'Other rules')
  while (vi.getTimerCount() === 0) await setImmediate()
  vi.runOnlyPendingTimers()
  expect(looks()).toBeGreaterThan(before)
  expect(sets).toHaveLength(2)
  watching.unsubscribe()
})
