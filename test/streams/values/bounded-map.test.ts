import { expect, it } from 'vitest'
import { BoundedMap } from '../../../lib/streams/values/bounded-map.ts'

it('forgets what was set longest ago, and no more than it must', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2)
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ])
  map.set('c', 3)
  expect([...map.keys()]).toEqual(['b', 'c'])
})

it('takes a key that is set again for the newest, one that is looked at not', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect(map.get('b')).toBe(2)
  map.set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})

it('holds nothing where nothing may be held', () => {
  expect(new BoundedMap<string, number>(0).set('a', 1).size).toBe(0)
})
