// Tests the tokens of a context: the last usage that still holds, and an estimate behind it.
import { describe, expect, it } from 'vitest'
import { answeredTokens, contextTokens } from '../../../lib/operators/compaction/context-tokens.ts'
import type { PlannedEntry } from '../../../lib/operators/compaction/find-cut.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import { aUser, anAnswer } from '../../providers/adapter/messages.ts'
import { answerOf, entriesOf, textOf, userOf } from './planned-entries.ts'

const usageOf = (input: number, output = 0): Usage => ({
  input,
  output,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + output,
  cost: 'unknown',
})
const counted = (input: number, output: number) =>
  anAnswer({ type: 'text', text: textOf(50) }, { usage: usageOf(input, output) })
const totalOf = (entries: readonly PlannedEntry[], system = '') => contextTokens({ system, tools: [], entries }).total

describe('contextTokens', () => {
  it('estimates everything without a usage', () => {
    expect(totalOf(entriesOf([userOf(50), answerOf(50)]), 'x'.repeat(400))).toBe(200)
  })

  it('takes the last usage, and estimates what follows at its rate', () => {
    const entries = entriesOf([userOf(50), counted(100, 30), userOf(50)])
    expect(totalOf(entries)).toBe(100 + 30 + 100) // 100 tokens for 200 characters: two characters a token
  })

  it('counts cache reads and writes', () => {
    expect(answeredTokens({ ...usageOf(1, 2), cacheRead: 4, cacheWrite: 8 })).toBe(15)
  })

  it('passes over an answer without a usage', () => {
    const entries = entriesOf([userOf(50), counted(50, 40), userOf(50), answerOf(50)])
    expect(totalOf(entries)).toBe(90 + 100)
  })

  it.each<[string, Readonly<Record<number, Partial<PlannedEntry>>>]>([
    ['a compaction', { 0: { kind: 'compaction', seq: 10 } }],
    ['an edit', { 0: { seq: 10 } }],
  ])('does not take a usage from before %s', (_, fields) => {
    const entries = entriesOf([userOf(50), counted(5_000, 40), userOf(50)], fields)
    expect(totalOf(entries)).toBe(150)
  })

  it('does not take the usage of a carried answer', () => {
    const entries = entriesOf([userOf(50), counted(5_000, 40), userOf(50)], { 1: { kind: 'carried' } })
    expect(totalOf(entries)).toBe(150)
  })

  it('prices an image alike, whatever its size', () => {
    const image = (data: string) => aUser([{ type: 'image', mimeType: 'image/png', data }])
    expect(totalOf(entriesOf([image('AAAA')]))).toBe(totalOf(entriesOf([image('A'.repeat(400_000))])))
    expect(totalOf(entriesOf([image('AAAA')]))).toBeGreaterThan(1_000)
  })

  it('counts what a text in the blob store has, not its start', () => {
    const stored = aUser([{ type: 'text', text: 'start', bytes: 4_000 }])
    expect(totalOf(entriesOf([stored]))).toBe(1_004)
  })
})
