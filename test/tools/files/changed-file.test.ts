// Tests the name of a changed file: relative in the working folder, absolute elsewhere.
import { expect, it } from 'vitest'
import { changedFile } from '../../../lib/tools/files/changed-file.ts'

it.each([
  ['src/main.ts', 'src/main.ts'],
  ['./src/../notes', 'notes'],
  ['..notes', '..notes'],
  ['../notes', '/nowhere/notes'],
  ['/elsewhere/notes', '/elsewhere/notes'],
  ['.', '/nowhere/project'],
])('%s is shown as %s', (target, name) => {
  expect(changedFile(target, '/nowhere/project').name).toBe(name)
})
