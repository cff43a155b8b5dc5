// Tests the map that drops its oldest entries.
import { expect, it } from 'vitest'
import { BoundedMap } from '../../../lib/streams/values/bounded-map.ts'

it('drops the oldest entries, and no more than necessary', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  map.set('c', 3)
  expect([...map.keys()]).toEqual(['b', 'c'])
})

it('treats a key that is set again as the newest, but not one that is read', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect(map.get('b')).toBe(2)
  map.set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

it('stores nothing if its limit is zero', () => {
  expect(new BoundedMap<string, number>(0).set('a', 1).size).toBe(0)
})
