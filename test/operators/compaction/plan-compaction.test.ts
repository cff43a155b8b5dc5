// Tests the plan of a compaction: when it is due, what it summarises, and what stays.
import { describe, expect, it } from 'vitest'
import { compactionLimits, planCompaction } from '../../../lib/operators/compaction/plan-compaction.ts'
import type { CompactionInput } from '../../../lib/operators/compaction/plan-compaction.ts'
import type { PlannedEntry } from '../../../lib/operators/compaction/find-cut.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { aResult, aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { answerOf, entriesOf, inputOf, resultOf, textOf, userOf } from './planned-entries.ts'

/** Turns of 100 tokens: a prompt and an answer. */
const turns = (count: number): Message[] => Array.from({ length: count }, () => [userOf(50), answerOf(50)]).flat()
const step = (id: string, tokens: number): Message[] => [anAnswer(id), resultOf(id, tokens)]
const plan = (entries: readonly PlannedEntry[], fields: Partial<Omit<CompactionInput, 'entries'>>) =>
  planCompaction(inputOf(entries, fields))
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const

describe('compactionLimits', () => {
  it.each([
    [200_000, {}, { trigger: 183_616, keepRecent: 20_000 }],
    [8_000, {}, { trigger: 6_000, keepRecent: 2_666 }],
    [200_000, { reserveTokens: 1_000, keepRecentTokens: 5_000 }, { trigger: 199_000, keepRecent: 5_000 }],
    [8_000, { reserveTokens: 100_000, keepRecentTokens: 100_000 }, { trigger: 6_000, keepRecent: 2_666 }],
  ])('of a window of %i with %j', (window, settings, expected) => {
    expect(compactionLimits(window, settings)).toEqual(expected)
  })
})

describe('before a request', () => {
  it.each([
    ['below the trigger', 600, false],
    ['at the trigger', 800, false],
    ['above the trigger', 900, true],
  ])('is due only above the trigger: %s', (_, tokens, isDue) => {
    const due = plan(entriesOf(turns(tokens / 100)), { window: Math.ceil(800 / 0.75) })
    expect(due !== undefined).toBe(isDue)
  })

  it('is never due if the window is unknown', () => {
    expect(plan(entriesOf(turns(1_000)), {})).toBeUndefined()
  })

  it('keeps the recent part, and summarises what is before it', () => {
    const { summary, tokensBefore, tokensAfter, edits } = plan(entriesOf(turns(10)), { window: 1_200 }) ?? {}
    expect(summary).toMatchObject({ firstKeptEntryId: 'e12', carriedEntryIds: [], turn: [], mostTokens: 150 })
    expect(summary?.history).toHaveLength(12)
    expect({ tokensBefore, tokensAfter, edits }).toEqual({ tokensBefore: 1_000, tokensAfter: 400, edits: [] })
  })

  it('counts the usage of the last answer', () => {
    const usage = { input: 950, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 950, cost: 'unknown' as const }
    const messages = [userOf(50), anAnswer({ type: 'text', text: textOf(50) }, { usage }), userOf(50)]
    expect(plan(entriesOf([...turns(4), ...messages]), { window: 1_200 })?.tokensBefore).toBeGreaterThanOrEqual(1_000)
  })

  it('splits a long turn, carries its prompt, and summarises the earlier turns apart', () => {
    const long = [userOf(50, 'Do it'), ...step('c1', 300), ...step('c2', 300), ...step('c3', 300)]
    const { summary } = plan(entriesOf([...turns(2), ...long]), { window: 1_400 }) ?? {}
    expect(summary).toMatchObject({ firstKeptEntryId: 'e9', carriedEntryIds: ['e4'] })
    expect(summary?.history).toHaveLength(4)
    expect(summary?.turn.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'assistant',
      'toolResult',
    ])
  })

  it('carries pinned entries, the last prompt, and no note', () => {
    const messages = [...turns(2), userOf(20, 'The task'), userOf(20, 'A note'), ...step('c1', 900)]
    const entries = entriesOf(messages, { 5: { isNote: true } })
    expect(plan(entries, { window: 1_200, pins: new Set(['e1']) })?.summary?.carriedEntryIds).toEqual(['e1', 'e4'])
  })

  it('carries on what was carried, if it is still pinned or the last prompt', () => {
    const fields = { 0: { kind: 'compaction' }, 1: { kind: 'carried' }, 2: { kind: 'carried' } } as const
    const entries = entriesOf([userOf(20), userOf(20), userOf(20), ...step('c1', 500), ...step('c2', 500)], fields)
    expect(plan(entries, { window: 1_200, pins: new Set(['e1']) })?.summary?.carriedEntryIds).toEqual(['e1', 'e2'])
    expect(plan(entries, { window: 1_200 })?.summary?.carriedEntryIds).toEqual(['e2'])
  })

  it('leaves less room to the recent part beside a long system prompt', () => {
    const system = 'x'.repeat(500 * 4)
    const { summary, tokensAfter = 0 } = plan(entriesOf(turns(5)), { window: 1_200, system }) ?? {}
    expect(summary).toMatchObject({ firstKeptEntryId: 'e7', carriedEntryIds: [] })
    expect(tokensAfter + (summary?.mostTokens ?? 0)).toBeLessThanOrEqual(900)
  })

  it('bounds the summary of a large window', () => {
    const due = plan(entriesOf(Array.from({ length: 20 }, () => userOf(50_000))), { window: 1_000_000 })
    expect(due?.summary?.mostTokens).toBe(12_000)
  })

  it.each([
    ['the rest would not fit either', [...turns(1), userOf(2_000)], 1_200],
    ['a summary would save little', [...turns(1), userOf(800)], 1_000],
    ['there is one message alone', [userOf(1_000)], 1_200],
  ])('does nothing if %s', (_, messages, window) => {
    expect(plan(entriesOf(messages), { window })).toBeUndefined()
  })
})

describe('cheap edits', () => {
  const old = [userOf(20), ...step('c1', 1_000), answerOf(20)]

  it('are enough if they save a quarter', () => {
    const due = plan(entriesOf([...old, ...turns(2)]), { window: 1_500 })
    expect(due?.summary).toBeUndefined()
    expect(due?.edits).toMatchObject([{ type: 'context_edit', targetEntryId: 'e2' }])
    expect(due?.tokensAfter).toBeLessThan(600)
  })

  it('are not made twice: then a summary is due', () => {
    const entries = entriesOf([...old, ...turns(2)])
    const [edit] = plan(entries, { window: 1_500 })?.edits ?? []
    const edited = entries.map((entry) =>
      entry.entryId === edit?.targetEntryId && edit.replacement !== null
        ? { ...entry, message: edit.replacement, seq: 100 }
        : entry,
    )
    const due = plan([...edited, ...entriesOf(turns(8)).map((entry) => ({ ...entry, entryId: `f${entry.entryId}` }))], {
      window: 1_500,
    })
    expect(due?.summary).toBeDefined()
    expect(due?.edits).toEqual([])
  })

  it('leave pinned entries alone', () => {
    const messages = [aUser([image, image]), answerOf(50), ...turns(9)]
    const entries = entriesOf(messages)
    expect(plan(entries, { window: 4_000 })?.edits.map(({ targetEntryId }) => targetEntryId)).toEqual(['e0'])
    const pinned = plan(entries, { window: 4_000, pins: new Set(['e0']) })
    expect(pinned?.edits ?? []).toEqual([])
  })
})

describe('a rest that does not fit', () => {
  it('loses the middle of its results', () => {
    const due = plan(entriesOf([...turns(3), ...step('c1', 2_000)]), { window: 1_600 })
    expect(due?.summary?.firstKeptEntryId).toBe('e6')
    expect(due?.edits).toMatchObject([{ targetEntryId: 'e7' }])
    expect((due?.tokensAfter ?? 0) + (due?.summary?.mostTokens ?? 0)).toBeLessThanOrEqual(1_200)
  })

  it('loses the images of its results, the oldest first', () => {
    const received = [anAnswer('c1', 'c2'), aResult('c1', [image]), aResult('c2', [image])]
    const due = plan(entriesOf([...turns(4), ...received]), { window: 2_100 })
    expect(due?.edits).toMatchObject([{ targetEntryId: 'e9', replacement: { content: [{ type: 'text' }] } }])
  })

  it('is summarised whole if a call is too long, and the prompt is carried', () => {
    const call = { type: 'toolCall', id: 'c1', name: 'write', arguments: { content: textOf(3_000) } } as const
    const due = plan(entriesOf([...turns(3), userOf(50), anAnswer(call), resultOf('c1', 10)]), { window: 1_600 })
    expect(due?.summary).toMatchObject({ firstKeptEntryId: null, carriedEntryIds: ['e6'] })
    expect(due?.tokensAfter).toBeLessThan(100)
  })
})

describe('after an overflow', () => {
  it('takes three quarters of the request for the window, if it is unknown or too high', () => {
    for (const window of [undefined, 5_000]) {
      const due = plan(entriesOf(turns(10)), { window, reason: 'overflow' })
      expect((due?.tokensAfter ?? 0) + (due?.summary?.mostTokens ?? 0)).toBeLessThanOrEqual(750 * 0.75)
    }
  })

  it('shortens results if there is nothing to summarise', () => {
    const due = plan(entriesOf([userOf(10), ...step('c1', 2_000)]), { window: 1_000, reason: 'overflow' })
    expect(due?.edits.length ?? 0).toBeGreaterThan(0)
  })

  it.each([
    ['there is one message alone', [userOf(2_000)]],
    ['the last message does not fit by itself', [...turns(2), userOf(2_000)]],
  ])('does nothing if %s', (_, messages) => {
    expect(plan(entriesOf(messages), { window: 1_000, reason: 'overflow' })).toBeUndefined()
  })
})

describe('as a person asked', () => {
  it.each([undefined, 100_000])('keeps a third at most, whatever the window (%s)', (window) => {
    const due = plan(entriesOf(turns(9)), { window, reason: 'manual' })
    expect(due?.summary).toMatchObject({ firstKeptEntryId: 'e12' })
  })

  it('leaves room for a summary of a short conversation if the window is unknown', () => {
    const due = plan(entriesOf(turns(3)), { window: undefined, reason: 'manual' })
    expect(due?.summary?.mostTokens).toBe(1_024)
  })

  it('has nothing to do with one message, or right after a compaction', () => {
    expect(plan(entriesOf([userOf(10)]), { reason: 'manual' })).toBeUndefined()
    const entries = entriesOf([userOf(10), userOf(10)], { 0: { kind: 'compaction' } })
    expect(plan(entries, { reason: 'manual' })).toBeUndefined()
  })
})
