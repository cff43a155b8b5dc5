// Tests that a failing command has no figure, and a working one has CPU time and memory.
import path from 'node:path'
import { expect, it } from 'vitest'
import { commandCosts } from '../../bench/command-cost.ts'
import type { Command } from '../../bench/run-command.ts'
import { runCommand } from '../../bench/run-command.ts'
import { withWorkspace } from '../../bench/workspace.ts'

const root = path.resolve(import.meta.dirname, '../..')

function node(code: string): Command {
  return { name: 'a command', line: [process.execPath, '-e', code], env: {}, cwd: root, expected: 'done' }
}

it('measures wall time, CPU time and peak memory', async () => {
  const busy = node('const end = Date.now() + 100; while (Date.now() < end); console.log("done")')
  const [cost] = await withWorkspace(root, (workspace) => commandCosts(workspace, { commands: [busy], rounds: 2 }))
  expect(cost?.wallMs.length).toBe(2)
  expect(Math.min(...(cost?.wallMs ?? []))).toBeGreaterThan(100)
  expect(Math.min(...(cost?.cpuMs ?? []))).toBeGreaterThan(10)
  expect(Math.min(...(cost?.peakMiB ?? []))).toBeGreaterThan(20)
})

it.each([
  ['console.log("something else")', 'a command did not write "done"'],
  ['console.error("broken"); process.exit(3)', 'a command ended with exit code 3:\nbroken'],
])('refuses the figures of %s', async (code, message) => {
  await expect(withWorkspace(root, (workspace) => runCommand(workspace, node(code)))).rejects.toThrow(message)
})
