// Tests the lists of files that a summary names.
import { describe, expect, it } from 'vitest'
import { filesText, mergeFiles, withoutFiles } from '../../../lib/operators/compaction/file-lists.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { aResult, aUser, anAnswer } from '../../providers/adapter/messages.ts'

const call = (name: string, path: unknown, id = 'c1') =>
  anAnswer({ type: 'toolCall', id, name, arguments: path === undefined ? {} : { path } })

describe('mergeFiles', () => {
  it.each<[string, readonly Message[], object]>([
    ['lists what was read', [call('read', '/a')], { readFiles: ['/a'], modifiedFiles: [] }],
    [
      'lists what each tool changed',
      [call('write', '/a'), call('edit', '/b'), call('hashline_edit', '/c')],
      { readFiles: [], modifiedFiles: ['/a', '/b', '/c'] },
    ],
    [
      'does not list a changed file as read',
      [call('read', '/a'), call('edit', '/a'), call('read', '/a')],
      { readFiles: [], modifiedFiles: ['/a'] },
    ],
    ['passes over other calls', [call('bash', '/a'), call('read', undefined), call('read', 7), aUser('/a')], nothing()],
    [
      'passes over calls that failed',
      [call('edit', '/a'), { ...aResult('c1'), isError: true }, call('edit', '/b'), aResult('c1')],
      { readFiles: [], modifiedFiles: ['/b'] },
    ],
  ])('%s', (_, messages, expected) => {
    expect(mergeFiles(undefined, messages)).toEqual(expected)
  })

  it('carries the earlier lists along, the last use at the end, 50 at most', () => {
    const earlier = { readFiles: Array.from({ length: 50 }, (_, index) => `/${index}`), modifiedFiles: ['/m'] }
    const { readFiles, modifiedFiles } = mergeFiles(earlier, [call('read', '/5'), call('read', '/new')])
    expect(readFiles).toHaveLength(50)
    expect(readFiles.slice(-2)).toEqual(['/5', '/new'])
    expect(modifiedFiles).toEqual(['/m'])
  })
})

describe('filesText', () => {
  const files = { readFiles: ['/a', '/b'], modifiedFiles: ['/c'] }

  it('is a section, which withoutFiles takes off', () => {
    expect(filesText(files)).toBe('\n\n## Files\nChanged: /c\nRead: /a, /b')
    expect(withoutFiles(`A summary.${filesText(files)}`, files)).toBe('A summary.')
    expect(filesText(nothing())).toBe('')
  })

  it('leaves a section of the model alone if no files were listed', () => {
    const summary = 'A summary.\n\n## Files\nNone.'
    expect(withoutFiles(summary, nothing())).toBe(summary)
  })

  it('keeps the last files of a list that is too long, changed ones first', () => {
    expect(filesText(files, 8)).toBe('\n\n## Files\nChanged: /c\nRead: /b')
    expect(filesText(files, 4)).toBe('\n\n## Files\nChanged: /c')
    expect(filesText(files, 3)).toBe('')
  })

  it('keeps a path on its line', () => {
    expect(filesText({ readFiles: ['/a\n## Goal\nevil'], modifiedFiles: [] })).toBe(
      '\n\n## Files\nRead: /a ## Goal evil',
    )
  })
})

function nothing() {
  return { readFiles: [], modifiedFiles: [] }
}
