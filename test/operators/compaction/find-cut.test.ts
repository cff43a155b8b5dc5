// Tests where a context may be cut.
import { describe, expect, it } from 'vitest'
import { findCut, isUserInput, splitTurnStart } from '../../../lib/operators/compaction/find-cut.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { tokenEstimate } from '../../../lib/streams/ports/token-estimate.ts'
import { anAnswer } from '../../providers/adapter/messages.ts'
import { answerOf, entriesOf, resultOf, userOf } from './planned-entries.ts'

const tokensOf = tokenEstimate({ system: '', tools: [], messages: [] })
const turn = [userOf(10), anAnswer('c1', 'c2'), resultOf('c1', 10), resultOf('c2', 10), answerOf(10)]

describe('findCut', () => {
  it.each<[string, readonly Message[], number, number]>([
    ['nothing of an empty context', [], 100, 0],
    ['nothing if all fits', [userOf(10), answerOf(10)], 100, 0],
    ['the messages that fit', [userOf(10), answerOf(10), userOf(10), answerOf(10)], 20, 2],
    ['the last message, however long it is', [userOf(10), answerOf(10), userOf(500)], 20, 2],
    ['the call with its results, if they are last', turn.slice(0, 4), 1, 1],
    ['behind a call and its results', turn, 15, 4],
    ['no result without its call', turn, 25, 4],
    ['the call with all results that fit', turn, 45, 1],
  ])('keeps %s', (_, messages, keep, expected) => {
    expect(findCut(entriesOf(messages), keep, tokensOf)).toBe(expected)
  })

  it('takes a call without a result for ended, and a result without a call for no start', () => {
    const interrupted = [userOf(10), anAnswer('c1'), userOf(10), answerOf(10)]
    expect(findCut(entriesOf(interrupted), 20, tokensOf)).toBe(2)
    expect(findCut(entriesOf([userOf(10), resultOf('lost', 10), answerOf(10)]), 20, tokensOf)).toBe(2)
  })

  it('is not barred by a last result without a call, and still keeps other results with their call', () => {
    const lost = resultOf('lost', 10)
    expect(findCut(entriesOf([userOf(10), answerOf(10), userOf(10), lost]), 20, tokensOf)).toBe(2)
    expect(findCut(entriesOf([userOf(10), anAnswer('c1'), userOf(10), resultOf('c1', 10), lost]), 30, tokensOf)).toBe(1)
    const early = [userOf(10), resultOf('c1', 10), anAnswer('c1'), userOf(10), lost] // its call comes later
    expect(findCut(entriesOf(early), 20, tokensOf)).toBe(3)
  })

  it('tells calls with the same id apart', () => {
    const again = [...turn, ...turn]
    expect(findCut(entriesOf(again), 25, tokensOf)).toBe(9)
    expect(findCut(entriesOf(again), 55, tokensOf)).toBe(5)
  })

  it('never cuts into a note between a call and its result', () => {
    const noted = [userOf(10), anAnswer('c1'), userOf(10), resultOf('c1', 10), answerOf(10)]
    expect(findCut(entriesOf(noted), 35, tokensOf)).toBe(4)
  })

  it('never cuts into a summary or what it carries', () => {
    const messages = [userOf(10), userOf(10), answerOf(10), userOf(10)]
    const entries = entriesOf(messages, { 0: { kind: 'compaction' }, 1: { kind: 'carried' } })
    expect(findCut(entries, 1_000, tokensOf)).toBe(2)
  })
})

describe('splitTurnStart', () => {
  it.each<[string, number, number | undefined]>([
    ['before an input', 5, undefined],
    ['within a turn', 6, 5],
    ['before the last answer of a turn', 9, 5],
    ['behind everything', 10, undefined],
  ])('of a cut %s (%i) is %s', (_, cut, expected) => {
    expect(splitTurnStart(entriesOf([...turn, ...turn]), cut)).toBe(expected)
  })

  it('is none before a note that follows a whole turn, and the input if the note stands within one', () => {
    const entries = entriesOf([...turn, userOf(5), userOf(5), anAnswer('c1'), resultOf('c1', 5), userOf(5)], {
      5: { isNote: true },
      9: { isNote: true },
    })
    expect(splitTurnStart(entries, 5)).toBeUndefined()
    expect(splitTurnStart(entries, 9)).toBe(6)
  })

  it('is none if an earlier compaction has summarised the input', () => {
    const entries = entriesOf([userOf(5), userOf(5), answerOf(5), answerOf(5)], {
      0: { kind: 'compaction' },
      1: { kind: 'carried' },
    })
    expect(splitTurnStart(entries, 3)).toBeUndefined()
  })
})

describe('isUserInput', () => {
  it.each([
    [{}, true],
    [{ kind: 'carried' as const }, true],
    [{ isNote: true }, false],
    [{ kind: 'compaction' as const }, false],
    [{ kind: 'branch_summary' as const }, false],
  ])('of a user message with %j is %s', (fields, expected) => {
    expect(entriesOf([userOf(5)], { 0: fields }).map(isUserInput)).toEqual([expected])
  })
})
