// Tests the ids of snapshots.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSnapshotStore } from '../../../lib/store/worktree-snapshots/snapshot-store.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-snapshots-'))
})
afterEach(() => rmSync(home, { recursive: true }))

describe("a folder's snapshots", () => {
  it.each(['', '.', '../../../settings', '1-aaaaaaaa/../x', '1-aaaaaaaa\n', '/etc/passwd'])(
    'touch no path for the id %j [S9a]',
    (id) => {
      const store = openSnapshotStore(home, '/tmp')
      for (const use of [store.fileOf, store.has, store.refOf, store.touch])
        expect(() => use(id)).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
    },
  )

  it('have ids that the store generates', () => {
    const store = openSnapshotStore(home, '/tmp')
    expect(store.has(store.newId())).toBe(false)
  })
})
