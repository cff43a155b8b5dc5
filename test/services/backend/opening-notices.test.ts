// Tests the notices about choices that have no effect in an opened session.
import { describe, expect, it } from 'vitest'
import { choiceNotices } from '../../../lib/services/backend/opening-notices.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const plain: Model = { id: 'm', provider: 'p', api: 'a', inputs: ['text'], reasoning: false }
const thinking: Model = { ...plain, reasoning: true }

type Opened = Parameters<typeof choiceNotices>[0]

function codes(opened: Partial<Opened>): string[] {
  return choiceNotices({ setup: {}, model: { model: plain }, mode: 'writes', ...opened }).map(({ code }) => code)
}

describe('a thinking level of the command', () => {
  it.each<[string, Partial<Opened>, string[]]>([
    ['has no effect on a model that does not think', { setup: { thinkingLevel: 'high' } }, ['thinking_ignored']],
    ['has one on a model that thinks', { setup: { thinkingLevel: 'high' }, model: { model: thinking } }, []],
    ['“off” is what such a model does', { setup: { thinkingLevel: 'off' } }, []],
    ['of the settings alone gives no notice', {}, []],
    [
      'gives none without a usable model: another notice names the reason',
      { setup: { thinkingLevel: 'high' }, model: { model: plain, unusable: new Failure('no_model', 'none') } },
      [],
    ],
  ])('%s', (_, opened, expected) => {
    expect(codes(opened)).toEqual(expected)
  })

  it('is named with the model and the remedy', () => {
    const [notice] = choiceNotices({ setup: { thinkingLevel: 'low' }, model: { model: plain }, mode: undefined })
    expect(notice?.message).toMatch(/^The thinking level low has no effect: .* p\/m does not think.*"reasoning": true/)
  })
})

describe('a mode of approval in the log', () => {
  it.each<[string, Partial<Opened>, string[]]>([
    ['that is looser is not taken over', { initial: { approvalMode: 'auto' } }, ['approval_mode']],
    ['that is the same gives no notice', { initial: { approvalMode: 'writes' } }, []],
    ['gives none if the command names one', { initial: { approvalMode: 'auto' }, setup: { approve: 'writes' } }, []],
    ['gives none if no policy decides', { initial: { approvalMode: 'auto' }, mode: undefined }, []],
  ])('%s', (_, opened, expected) => {
    expect(codes(opened)).toEqual(expected)
  })
})
