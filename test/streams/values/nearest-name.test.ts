// Tests which known name is proposed for a mistyped one.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
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

  it('compares 100,000 long and similar names at once', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `a-component-of-the-application-${index}`)
    const before = cpuMs()
    expect(nearestName('a-component-of-the-aplication-99999', names)).toBe('a-component-of-the-application-99999')
    expect(cpuMs() - before).toBeLessThan(2_500)
  })

  it('is worded as a question, or not at all', () => {
    expect(didYouMean('modle', known, (name) => `--${name}`)).toBe('. Did you mean --model?')
    expect(didYouMean('xyz', known)).toBe('')
  })
})
