// Tests the division of test files: each file is in one part, some in a process of their own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { divideTestFiles } from '../support/own-process.ts'

const house = mkdtempSync(path.join(tmpdir(), 'rxpi-own-process-'))

afterAll(() => rmSync(house, { recursive: true }))

it('gives a process to files that mock or measure in theirs, and small shared ones to those that start programs', () => {
  const files = {
    'streams/plain.test.ts': 'vi.fn()',
    'app/plain.test.tsx': '',
    'store/mock.test.ts': `vi.mock('node:fs')`,
    'store/memory.test.ts': 'process.memoryUsage().rss',
    'store/collect.test.ts': 'gc()',
    'store/folder.test.ts': 'process.chdir(folder)',
    'store/reason.test.ts': '// A test.\n// Own process: it counts listeners of the process.\n',
    'store/scene.ts': `vi.mock('node:fs')`,
    'end-to-end/plain.test.ts': '',
    'end-to-end/memory.test.ts': 'process.memoryUsage().rss',
    'host/sandbox/plain.test.ts': '',
    'host/plain.test.ts': '',
    'session/commands/rewind.test.ts': '',
    'session/commands/rewind-more.test.ts': '',
    'new-folder/plain.test.ts': '',
  }
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(house, 'test', file)), { recursive: true })
    writeFileSync(path.join(house, 'test', file), source)
  }
  expect(divideTestFiles(house)).toEqual({
    shared: [
      'test/app/plain.test.tsx',
      'test/host/plain.test.ts',
      'test/session/commands/rewind-more.test.ts',
      'test/store/folder.test.ts',
      'test/streams/plain.test.ts',
    ],
    programs: [
      'test/end-to-end/plain.test.ts',
      'test/host/sandbox/plain.test.ts',
      'test/session/commands/rewind.test.ts',
    ],
    own: [
      'test/end-to-end/memory.test.ts',
      'test/new-folder/plain.test.ts',
      'test/store/collect.test.ts',
      'test/store/memory.test.ts',
      'test/store/mock.test.ts',
      'test/store/reason.test.ts',
    ],
  })
})

it('has every test file of this project in one part', () => {
  const { shared, programs, own } = divideTestFiles('.')
  const all = [...shared, ...programs, ...own]
  expect(all).toHaveLength(new Set(all).size)
  expect(shared.length).toBeGreaterThan(100)
  expect(programs.length).toBeGreaterThan(50)
})
