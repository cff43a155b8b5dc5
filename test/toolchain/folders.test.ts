// Tests the check of folders inside rooms: planted faults are reported, a sound tree is not.
import { describe, expect, it } from 'vitest'
import { folderFaults, folderLimit } from '../../scripts/rooms/folders.ts'
import type { Module } from '../../scripts/rooms/folders.ts'

const plain = (source: string, ...imports: string[]): Module => ({ source, imports })

function rules(...modules: readonly Module[]): readonly string[] {
  return folderFaults(modules).map(({ rule }) => rule)
}

describe('the folders inside a room', () => {
  it('may import one another in one direction', () => {
    expect(rules(plain('lib/store/log/a.ts', 'lib/store/lines/b.ts'), plain('lib/store/lines/b.ts'))).toEqual([])
  })

  it('form no cycle, also over several folders and by types alone', () => {
    const faults = folderFaults([
      plain('lib/store/log/a.ts', 'lib/store/lines/b.ts'),
      plain('lib/store/lines/b.ts', 'lib/store/disk/c.ts'),
      plain('lib/store/disk/c.ts', 'lib/store/log/d.ts'),
      plain('lib/store/log/d.ts'),
    ])
    expect(faults.map(({ rule }) => rule)).toEqual(['folder-cycle', 'folder-cycle', 'folder-cycle'])
    expect(faults[0]?.message).toBe('lib/store/log ⇄ lib/store/lines: lib/store/log/a.ts → lib/store/lines/b.ts')
  })

  it('form no cycle in app and scripts either', () => {
    expect(rules(plain('app/ui/a.ts', 'app/cli/b.ts'), plain('app/cli/b.ts', 'app/ui/c.ts'))).toEqual([
      'folder-cycle',
      'folder-cycle',
    ])
    expect(rules(plain('scripts/a/b.ts', 'scripts/c/d.ts'), plain('scripts/c/d.ts', 'scripts/a/b.ts'))).toHaveLength(2)
  })

  it('may be gathered by an index, which no file of the room imports', () => {
    const index = plain('lib/store/index.ts', 'lib/store/log/a.ts')
    expect(rules(index, plain('lib/store/log/a.ts'))).toEqual([])
    expect(rules(index, plain('lib/store/log/a.ts', 'lib/store/index.ts'))).toEqual(['own-index'])
    expect(rules(index, plain('lib/session/create/b.ts', 'lib/store/index.ts'))).toEqual([])
  })

  it(`hold at most ${folderLimit} files; data and generated code do not count`, () => {
    const filled = (folder: string, count: number): Module[] =>
      Array.from({ length: count }, (_, index) => plain(`${folder}/file-${index}.ts`))
    expect(rules(...filled('lib/store/log', folderLimit))).toEqual([])
    expect(rules(...filled('lib/store/log', folderLimit + 1))).toEqual(['crowded-folder'])
    expect(rules(...filled('lib/providers/catalogue-data', folderLimit + 1))).toEqual([])
    expect(rules(...filled('test/store/log', folderLimit + 1))).toEqual([])
  })
})

describe('base names', () => {
  it('are unique in lib, but for indexes and barrels', () => {
    expect(rules(plain('lib/store/log/a.ts'), plain('lib/server/feed/a.ts'))).toEqual(['base-name-twice'])
    expect(rules(plain('lib/store/index.ts'), plain('lib/server/index.ts'), plain('lib/index.ts'))).toEqual([])
    expect(rules(plain('app/cli/a.ts'), plain('lib/server/feed/a.ts'))).toEqual([])
  })
})
