// Tests `LazyMap`: layers that load a value on first use; and `IdFilter`: no id is missed, and few others match.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { IdFilter, LazyMap } from '../../../lib/session/recovery/lazy-map.ts'

const near = new Map([['c', 3]])
const far = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 3],
])

function layered() {
  const layers = [vi.fn(() => near), vi.fn(() => far)] as const
  return { layers, map: new LazyMap({ names: IdFilter.of(far.keys()), layers }) }
}

describe('LazyMap', () => {
  it('loads no layer for a key that is in no layer, or was set', () => {
    const { layers, map } = layered()
    map.set('d', 4)
    expect([map.has('e'), map.get('e'), map.get('d')]).toEqual([false, undefined, 4])
    expect(layers.map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })

  it('loads the layers one after another', () => {
    const { layers, map } = layered()
    expect([map.get('c'), layers[1].mock.calls.length, map.get('a'), map.has('b')]).toEqual([3, 0, 1, true])
  })

  it.each<[string, (map: LazyMap<number>) => unknown, unknown]>([
    ['size', (map) => map.size, 4],
    ['keys', (map) => [...map.keys()], ['a', 'b', 'c', 'd']],
    ['values', (map) => [...map.values()], [1, 2, 30, 4]],
    ['entries', (map) => [...map.entries()].at(-1), ['d', 4]],
    ['iteration', (map) => [...map].at(0), ['a', 1]],
    [
      'forEach',
      (map) => {
        const received: string[] = []
        map.forEach((value, key) => received.push(`${key}${value}`))
        return received
      },
      ['a1', 'b2', 'c30', 'd4'],
    ],
  ])('has all entries in order: %s', (_, ask, expected) => {
    const { map } = layered()
    map.set('d', 4).set('c', 30)
    expect(ask(map)).toEqual(expected)
  })

  it('has a filter of all keys', () => {
    const { layers, map } = layered()
    const names = map.set('d', 4).names()
    expect(['a', 'c', 'd', 'e'].map((name) => names.mayHave(name))).toEqual([true, true, true, false])
    expect(layers[1]).not.toHaveBeenCalled()
  })
})

describe('IdFilter', () => {
  it('contains every added id, also as text and after an addition', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (names, more) => {
        const set = IdFilter.fromText(IdFilter.of(names).toText()).with(more)
        expect(set.size).toBe(names.length + more.length)
        expect([...names, ...more].every((name) => set.mayHave(name))).toBe(true)
      }),
    )
  })

  it('contains almost no other id', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `name ${index}`)
    const set = IdFilter.of(names)
    expect(names.filter((name) => set.mayHave(`another ${name}`)).length).toBeLessThan(3)
    expect(IdFilter.of([]).mayHave('')).toBe(false)
  })
})
