// Tests that changes of a file are noticed, with and without a watcher.
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, map } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchFile } from '../../../lib/host/files/file-changes.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-changes-'))
  file = path.join(folder, 'file')
})
afterEach(() => rmSync(folder, { recursive: true }))

function firstChange(name: string, everyMs: number): Promise<string> {
  return firstValueFrom(watchFile(name, { everyMs }).pipe(map(() => 'told')), { defaultValue: 'completed' })
}

it('emits if the file changes', async () => {
  writeFileSync(file, '')
  const changed = firstChange(file, 1_000_000)
  appendFileSync(file, 'x')
  expect(await changed).toBe('told')
})

it('checks periodically if the file cannot be watched', async () => {
  expect(await firstChange(path.join(folder, 'none'), 1)).toBe('told')
})
