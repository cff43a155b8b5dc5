// Tests that the same seed gives the same numbers, and that weights hold.
import { expect, it } from 'vitest'
import { chanceOf } from '../../../bench/soak/chance.ts'

it('repeats with its seed', () => {
  const take = (seed: number): number[] => {
    const chance = chanceOf(seed)
    return Array.from({ length: 5 }, () => chance.between(1, 1_000))
  }
  expect(take(3)).toEqual(take(3))
  expect(take(3)).not.toEqual(take(4))
})

it('draws names by their weight, and none with weight zero', () => {
  const chance = chanceOf(1)
  const drawn = { often: 0, seldom: 0, never: 0 }
  for (let count = 0; count < 4_000; count += 1) drawn[chance.weighted({ often: 3, seldom: 1, never: 0 })] += 1
  expect(drawn.never).toBe(0)
  expect(drawn.often / drawn.seldom).toBeGreaterThan(2.5)
  expect(drawn.often / drawn.seldom).toBeLessThan(3.5)
  expect(() => {
    chance.weighted({ never: 0 })
  }).toThrow('No name has a weight above 0')
})

it('draws whole numbers from the least to the most', () => {
  const chance = chanceOf(2)
  const drawn = new Set(Array.from({ length: 200 }, () => chance.between(2, 4)))
  expect([...drawn].toSorted()).toEqual([2, 3, 4])
  expect(chance.one<string>([])).toBeUndefined()
})
