// Tests the check of the first line of each source file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFirstLines } from '../../scripts/rooms/first-lines.ts'

describe('checkFirstLines', () => {
  const house = mkdtempSync(path.join(tmpdir(), 'rxpi-first-lines-'))
  afterAll(() => rmSync(house, { recursive: true }))

  it.each<[string, string, string[]]>([
    ['lib/good.ts', `// ${'é'.repeat(100)}\nexport {}`, []],
    [
      'app/long.tsx',
      `// ${'x'.repeat(101)}\nexport {}`,
      [expect.stringContaining('app/long.tsx: the first line has 101')],
    ],
    ['scripts/code.ts', 'export {}', [expect.stringContaining('scripts/code.ts: the first line must say')]],
    ['lib/empty.ts', '', [expect.stringContaining('lib/empty.ts')]],
    ['lib/generated/any.ts', 'export {}', []],
  ])('reads %s', (file, source, faults) => {
    for (const folder of ['lib', 'app', 'scripts']) {
      rmSync(path.join(house, folder), { recursive: true, force: true })
      mkdirSync(path.join(house, folder))
    }
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), source)
    expect(checkFirstLines(house)).toEqual(faults)
  })
})
