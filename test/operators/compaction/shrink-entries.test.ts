// Tests what is shortened without a model: old results, superseded readings, images.
import { describe, expect, it } from 'vitest'
import { savedTokens, shrinkOldEntries, shrinkResults } from '../../../lib/operators/compaction/shrink-entries.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import type { Message, ToolResultMessage } from '../../../lib/streams/messages/message.ts'
import { tokenEstimate } from '../../../lib/streams/ports/token-estimate.ts'
import { aResult, aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { entriesOf } from './planned-entries.ts'

const tokensOf = tokenEstimate({ system: '', tools: [], messages: [] })
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const
const long = `${'a'.repeat(5_000)}${'z'.repeat(5_000)}`
const old = (messages: readonly Message[], pins: readonly string[] = []) => {
  const entries = entriesOf(messages)
  return shrinkOldEntries(entries, { pins: new Set(pins), all: entries })
}
const results = (...texts: readonly string[]) => entriesOf(texts.map((text, index) => aResult(`c${index}`, text)))

describe('shrinkOldEntries', () => {
  it('keeps start and end of a long result, and says how much is gone', () => {
    const [only, ...more] = old([aResult('c1', long), aResult('c2', 'short')])
    const text = only === undefined ? '' : messageText(only.replacement)
    expect(more).toEqual([])
    expect(text).toMatch(/^a{400}\n\[older output was shortened to save space: 9200 characters left out\]\nz{400}$/)
  })

  it('keeps the start alone of a text in the blob store, whose end is not here', () => {
    const [only] = old([
      aResult('c1', [{ type: 'text', text: 'a'.repeat(1_024), blob: 'f'.repeat(64), bytes: 90_000 }]),
    ])
    expect(only === undefined ? '' : messageText(only.replacement)).toMatch(
      /^a{800}\n\[.*: 89200 characters left out\]\n$/,
    )
  })

  it('does not split a character', () => {
    const [only] = old([aResult('c1', `x${'😀'.repeat(3_000)}`)])
    expect(only === undefined ? '' : messageText(only.replacement).isWellFormed()).toBe(true)
  })

  it('replaces a reading that was made again, and images of results and of the user', () => {
    const details = { path: '/a.ts', firstLine: 1, lines: 3, isWhole: true }
    const reading: ToolResultMessage = { ...aResult('c1', 'its lines'), details }
    const shortened = old([reading, { ...reading, toolCallId: 'c2' }, aResult('c3', [image]), aUser([image])])
    expect(shortened.map(({ entryId, replacement }) => [entryId, messageText(replacement)])).toEqual([
      ['e0', '[/a.ts was read again later: see there]'],
      ['e2', '[image left out to save space]'],
      ['e3', '[image left out to save space]'],
    ])
  })

  it('drops the details, so that a shortened reading supersedes no other one', () => {
    const details = { path: '/a.ts', firstLine: 1, lines: 3, isWhole: true }
    const [only] = old([{ ...aResult('c1', long), details }])
    expect(only?.replacement).not.toHaveProperty('details')
    expect(only?.before).toHaveProperty('details')
  })

  it('leaves answers, summaries, pinned entries and what is shortened already', () => {
    const [once] = old([aResult('c1', long)])
    const shortened = once?.replacement ?? aResult('c1', long)
    expect(old([anAnswer({ type: 'text', text: long }), shortened])).toEqual([])
    expect(old([aUser([image])], ['e0'])).toEqual([])
    const entries = entriesOf([aUser([image]), aUser([image])], {
      0: { kind: 'compaction' },
      1: { kind: 'branch_summary' },
    })
    expect(shrinkOldEntries(entries, { pins: new Set(), all: entries })).toEqual([])
  })
})

describe('shrinkResults', () => {
  it('shortens the longest only, and no further than it must', () => {
    const entries = results('b'.repeat(1_000), long)
    const shortened = shrinkResults(entries, 1_000, tokensOf)
    expect(shortened.map(({ entryId }) => entryId)).toEqual(['e1'])
    expect(savedTokens(shortened, tokensOf)).toBeGreaterThanOrEqual(1_000)
    expect(messageText(shortened[0]?.replacement ?? aUser('')).length).toBeGreaterThan(4_900)
  })

  it('shortens all if it must, and images last', () => {
    const entries = [
      ...results(long, long),
      ...entriesOf([aResult('c3', [image])]).map((e) => ({ ...e, entryId: 'i' })),
    ]
    const texts = shrinkResults(entries, 4_000, tokensOf)
    expect(texts.map(({ entryId }) => entryId)).toEqual(['e0', 'e1'])
    const all = shrinkResults(entries, 1_000_000, tokensOf)
    expect(all.map(({ entryId }) => entryId)).toEqual(['e0', 'e1', 'i'])
    expect(all.every(({ replacement }) => tokensOf(replacement) < 200)).toBe(true)
  })

  it('has nothing to shorten in short results', () => {
    expect(shrinkResults(results('short'), 1_000, tokensOf)).toEqual([])
    expect(shrinkResults([], 1_000, tokensOf)).toEqual([])
  })
})
