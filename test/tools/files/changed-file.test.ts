// What people read of a file that is changed: its name in the working folder, or the whole path where it is elsewhere.
import { expect, it } from 'vitest'
import { changedFile } from '../../../lib/tools/files/changed-file.ts'

it.each([
  ['src/main.ts', 'src/main.ts'],
  ['./src/../notes', 'notes'],
  ['..notes', '..notes'],
  ['../notes', '/nowhere/notes'],
  ['/elsewhere/notes', '/elsewhere/notes'],
  ['.', '/nowhere/project'],
])('%s is called %s', (given, name) => {
  expect(changedFile(given, '/nowhere/project').name).toBe(name)
})
