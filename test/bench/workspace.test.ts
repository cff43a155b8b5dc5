// Tests that a benchmark leaves no process and no file, however it ends.
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Workspace } from '../../bench/report.ts'
import { withWorkspace } from '../../bench/workspace.ts'

const root = path.resolve(import.meta.dirname, '../..')

it.each(['succeeds', 'fails'])('ends its processes and removes its folder if the benchmark %s', async (how) => {
  let folder = ''
  let exited: Promise<unknown[]> | undefined
  const use = (workspace: Workspace): Promise<void> => {
    folder = workspace.folder
    writeFileSync(path.join(folder, 'file'), '')
    const child = workspace.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    exited = once(child, 'exit')
    return how === 'fails' ? Promise.reject(new Error('no figure')) : Promise.resolve()
  }
  const run = withWorkspace(root, use)
  if (how === 'fails') await expect(run).rejects.toThrow('no figure')
  else await run
  expect(await exited).toEqual([null, 'SIGKILL'])
  expect(existsSync(folder)).toBe(false)
})
