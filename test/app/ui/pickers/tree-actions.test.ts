// Tests the actions at a tree entry, and the text shown before files change.
import { describe, expect, it } from 'vitest'
import { changedNode, contextCommand, restoreRows, treeActions } from '../../../../app/ui/pickers/tree-actions.ts'
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
  expect(keys(treeActions(node({})))).toEqual([
    'again',
    'go',
    'files',
    'summary',
    'copy',
    'label',
    'read',
    'pin',
    'hide',
    'replace',
  ])
  expect(keys(treeActions(node({ role: 'assistant', isHead: true })))).toEqual([
    'files',
    'copy',
    'label',
    'read',
    'pin',
    'hide',
    'replace',
  ])
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

  it('says what stays', () => {
    const rest = [{ path: 'c.bin', reason: 'too large' }]
    const conflicts = [{ path: 'a.txt', reason: 'edited since' }]
    const hints = [[], conflicts].map((some) => restoreRows({ changes, conflicts: some, kept: rest })[2]?.hint)
    expect(hints).toEqual(['1 cannot be restored', '2 files · 1 cannot be restored'])
  })

  it('offers no restore if no file changed', () => {
    expect(keys(restoreRows({ changes: [], conflicts: [], kept: [] }))).toEqual(['no', 'go'])
  })
})

describe('what the model receives of an entry', () => {
  const session = 'abcdefghij23'
  const target = { session, entryId: 'aaaaaaaa' }
  it.each<[string, Partial<TreeNode>, 'pin' | 'hide', object | undefined, Partial<TreeNode>]>([
    ['pins', {}, 'pin', { type: 'context_pin', ...target, pinned: true }, { pinned: true }],
    [
      'unpins',
      { pinned: true, received: 'replaced' },
      'pin',
      { type: 'context_pin', ...target, pinned: false },
      { received: 'replaced' },
    ],
    [
      'hides',
      { pinned: true },
      'hide',
      { type: 'context_edit', ...target, hide: true },
      { pinned: true, received: 'hidden' },
    ],
    ['restores what is hidden', { received: 'hidden' }, 'hide', { type: 'context_edit', ...target }, {}],
    ['restores what is replaced', { received: 'replaced' }, 'hide', { type: 'context_edit', ...target }, {}],
    [
      'hides a result',
      { role: 'toolResult' },
      'hide',
      { type: 'context_edit', ...target, hide: true },
      { role: 'toolResult', received: 'hidden' },
    ],
    ['pins no result', { role: 'toolResult' }, 'pin', undefined, {}],
    ['hides no answer with calls', { role: 'assistant', tools: ['read'] }, 'hide', undefined, {}],
    ['hides no summary', { role: 'compaction' }, 'hide', undefined, {}],
  ])('%s', (_, more, action, command, after) => {
    const found = contextCommand(session, node(more), action)
    expect(found).toEqual(command)
    if (found !== undefined) expect(changedNode(node(more), found)).toEqual(node(after))
  })

  it('names the way back', () => {
    const rows = treeActions(node({ pinned: true, received: 'hidden' }))
    expect(rows.map(({ label }) => label)).toContain('Unpin it')
    expect(rows.map(({ label }) => label)).toContain('Give it to the model as it is')
    expect(keys(treeActions(node({ role: 'compaction' })))).toEqual(['go', 'files', 'summary', 'copy', 'label', 'read'])
  })
})
