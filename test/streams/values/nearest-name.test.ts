// Tests which known name is proposed for a mistyped one.
import { describe, expect, it } from 'vitest'
import { didYouMean, nearestName } from '../../../lib/streams/values/nearest-name.ts'

const known = ['mode', 'model', 'thinking', 'tools', 'timeout', 'resume', 'max-turns', 'no-session']

describe('nearestName', () => {
  it.each([
    ['modle', 'model'],
    ['modl', 'model'],
    ['mod', 'mode'],
    ['time', 'timeout'],
    ['moda', 'mode'],
    ['modell', 'model'],
    ['MODEL', 'model'],
    ['timeot', 'timeout'],
    ['max-turn', 'max-turns'],
    ['nosession', 'no-session'],
    ['think', 'thinking'],
    ['resmue', 'resume'],
    ['tols', 'tools'],
    ['xyz', undefined],
    ['', undefined],
    ['m'.repeat(100), undefined],
  ])('of %s is %s [FIRST-nearest]', (name, near) => {
    expect(nearestName(name, known)).toBe(near)
  })

  it('is worded as a question, or not at all', () => {
    expect(didYouMean('modle', known, (name) => `--${name}`)).toBe('. Did you mean --model?')
    expect(didYouMean('xyz', known)).toBe('')
  })
})
