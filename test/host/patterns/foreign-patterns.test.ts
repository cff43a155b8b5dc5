// Tests the limits of matches for one validation: those here, and those of the worker.
import { afterEach, expect, it } from 'vitest'
import { foreignPatterns } from '../../../lib/host/patterns/foreign-patterns.ts'
import { endPatternWorker } from '../../../lib/host/patterns/pattern-worker.ts'

afterEach(endPatternWorker)

const evil = `${'a'.repeat(40)}!`

it('a match that took too long counts as unmatched, and the next validation has all its time [S27b]', async () => {
  const twoValidations = () => {
    const { engine, validate } = foreignPatterns()
    const [late, quick] = [engine('^(?=a)(a+)+$', 'u'), engine('(?=a)ab', 'u')]
    return [validate(() => late.test(evil)), validate(() => quick.test('ab'))]
  }
  // on a busy machine the worker, which starts anew, may miss the time of the second validation, too
  await expect.poll(twoValidations, { timeout: 15_000 }).toEqual([
    { value: false, slow: ['^(?=a)(a+)+$'] },
    { value: true, slow: [] },
  ])
})

it('a text that is too long for the linear engine goes to the worker [S27a]', () => {
  const { engine, validate } = foreignPatterns()
  const pattern = engine('^(a+)+$', 'u')
  expect(validate(() => pattern.test(evil))).toEqual({ value: false, slow: [] })
  const long = `${evil}${'b'.repeat(3_000_000)}`
  expect(validate(() => pattern.test(long))).toEqual({ value: false, slow: ['^(a+)+$'] })
})
