// Tests the actions at a tree entry, and the text shown before files change.
import { describe, expect, it } from 'vitest'
import { restoreRows, treeActions } from '../../../../app/ui/pickers/tree-actions.ts'
import type { TreeNode } from '../../../../app/ui/pickers/tree-actions.ts'

const node = (more: Partial<TreeNode>): TreeNode => ({
  entryId: 'aaaaaaaa',
  parentId: null,
  role: 'user',
  firstWords: 'Hi',
  at: 1,
  seq: 4,
  isHead: false,
  isOnBranch: true,
  ...more,
})
const keys = (rows: readonly { readonly key: string }[]): string[] => rows.map(({ key }) => key)

it('offers to edit a prompt again, and no action that would not move the head', () => {
  expect(keys(treeActions(node({})))).toEqual(['again', 'go', 'files', 'summary', 'copy', 'label'])
  expect(keys(treeActions(node({ role: 'assistant', isHead: true })))).toEqual(['files', 'copy', 'label'])
})

describe('restoreRows', () => {
  const changes = [
    { path: 'a.txt', change: 'replace' as const },
    { path: 'b.txt', change: 'remove' as const },
  ]

  it('has no as its first row, and lists the changes', () => {
    const rows = restoreRows({ changes, conflicts: [], kept: [] })
    expect(keys(rows)).toEqual(['no', 'go', 'yes'])
    expect(rows[2]?.label).toBe('Yes: restore a.txt, remove b.txt')
  })

  it('names edits of the user that would be lost', () => {
    const rows = restoreRows({ changes, conflicts: [{ path: 'a.txt', reason: 'edited since' }], kept: [] })
    expect(keys(rows)).toEqual(['no', 'go', 'force'])
    expect(rows[2]?.label).toContain('a.txt')
  })

  it('offers no restore if no file changed', () => {
    expect(keys(restoreRows({ changes: [], conflicts: [], kept: [] }))).toEqual(['no', 'go'])
  })
})
