// Tests the picture of a session's tree.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawTree } from '../../../app/text/tree-picture.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'

type Node = ResultOf<'get_tree'>['entries'][number]

const now = 1_700_000_000_000
const hour = 3_600_000

/** Expands `a` to the id `aaaaaaaa`, and marks the path to the head. */
function tree(
  parents: Readonly<Record<string, string | null>>,
  head: string,
  more: Record<string, Partial<Node>> = {},
): Node[] {
  const onBranch = new Set<string>()
  for (let name: string | null | undefined = head; typeof name === 'string'; name = parents[name]) onBranch.add(name)
  return Object.entries(parents).map(([name, parent], index) => ({
    entryId: name.repeat(8),
    parentId: parent === null ? null : parent.repeat(8),
    role: 'user',
    firstWords: name,
    at: now - 3 * hour,
    seq: index + 1,
    isHead: name === head,
    isOnBranch: onBranch.has(name),
    ...more[name],
  }))
}
const shown = (entries: readonly Node[], children: ResultOf<'get_tree'>['children'] = []) =>
  drawTree({ entries: [...entries], children }, now).map(({ text }) => text)
/** The picture without ids and ages. */
const picture = (entries: readonly Node[]) => shown(entries).map((text) => text.slice(22))

describe('drawTree', () => {
  it('draws one line per entry: id, age, glyph, speaker, words, label, head', () => {
    const more = { a: { label: 'start' }, b: { role: 'assistant', tools: ['read', 'bash', 'read'] } }
    expect(
      shown(tree({ a: null, b: 'a', c: 'b' }, 'c', { ...more, c: { role: 'toolResult', tools: ['read'], at: now } })),
    ).toEqual([
      'aaaaaaaa  3 h ago     ● you: a  [start]',
      'bbbbbbbb  3 h ago     ● model: b → read ×2, bash',
      'cccccccc  now         ◉ ↳ read: c  ← head',
    ])
  })

  it('draws the path to the head in one column, other branches beside it', () => {
    expect(picture(tree({ a: null, b: 'a', c: 'b', d: 'a', e: 'd', f: 'b' }, 'e'))).toEqual([
      '● you: a',
      '├─○ you: b',
      '│ ├─○ you: c',
      '│ ○ you: f',
      '● you: d',
      '◉ you: e  ← head',
    ])
  })

  it('draws the newest branch in the main column if the head is elsewhere', () => {
    expect(picture(tree({ a: null, b: 'a', c: 'a', d: 'b' }, 'a'))).toEqual([
      '◉ you: a  ← head',
      '├─○ you: c',
      '○ you: b',
      '○ you: d',
    ])
  })

  it('draws several roots, and entries whose parent is missing', () => {
    expect(picture(tree({ a: null, b: null, c: 'z' }, 'b'))).toEqual(['├─○ you: a', '├─○ you: c', '◉ you: b  ← head'])
  })

  it('marks what is pinned, and what the model receives instead', () => {
    const more = { a: { pinned: true, received: 'hidden' }, b: { received: 'summarised' } }
    expect(picture(tree({ a: null, b: 'a' }, 'b', more))).toEqual([
      '● you: a  (pinned, hidden)',
      '◉ you: b  (summarised)  ← head',
    ])
  })

  it('names summaries, messages of other roles, and sessions that begin at an entry', () => {
    const more = {
      a: { role: 'compaction' },
      b: { role: 'branch_summary' },
      c: { role: 'note' },
      d: { role: 'bashExecution' },
    }
    const entries = tree({ a: null, b: 'a', d: 'b', c: 'd' }, 'c', more)
    const child = { session: 'kkkkkkkkkkkk', entryId: 'bbbbbbbb', updatedAt: now, firstWords: 'Look' }
    expect(shown(entries, [child])).toEqual([
      'aaaaaaaa  3 h ago     ● summary of earlier messages: a',
      'bbbbbbbb  3 h ago     ● summary of the left branch: b',
      '          now         │ ⇢ session kkkkkkkkkkkk: Look',
      'dddddddd  3 h ago     ● you ran: d',
      'cccccccc  3 h ago     ◉ note: c  ← head',
    ])
  })

  it('returns no lines without entries', () => {
    expect(shown([])).toEqual([])
  })

  it('draws a chain of 100,000 entries in one column', () => {
    const entries = nodes(Array.from({ length: 100_000 }, (_, index) => index - 1))
    const lines = picture(entries)
    expect([lines.length, lines.every((line) => !line.startsWith('│'))]).toEqual([100_000, true])
  })

  it('stays narrow for nested branches of any depth', () => {
    // each entry has two children: an abandoned one and one that continues
    const entries = nodes(Array.from({ length: 2_000 }, (_, index) => (index < 2 ? index - 1 : index - 2)))
    expect(Math.max(...picture(entries).map((line) => line.length))).toBeLessThan(60)
  })

  it('draws 10,000 branches of one entry beside it', () => {
    const lines = picture(nodes(Array.from({ length: 10_001 }, (_, index) => (index === 0 ? -1 : 0))))
    expect(lines.filter((line) => line.startsWith('├─'))).toHaveLength(9_999)
  })

  it('draws every entry once for any parent ids', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 30 }), { maxLength: 30 }), (parents) => {
        const entries = nodes(parents)
        const ids = shown(entries).map((line) => line.slice(0, 8))
        expect(ids.toSorted()).toEqual(entries.map(({ entryId }) => entryId).toSorted())
      }),
    )
  })
})

/** Entries from the indexes of their parents; the last entry is the head. */
function nodes(parents: readonly number[]): Node[] {
  const idOf = (index: number): string => String(index).padStart(8, '0')
  return parents.map((parent, index) => ({
    entryId: idOf(index),
    parentId: parent < 0 ? null : idOf(parent),
    role: 'user',
    firstWords: 'words',
    at: now,
    seq: index + 1,
    isHead: index === parents.length - 1,
    isOnBranch: false,
  }))
}
