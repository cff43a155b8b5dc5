import { describe, expect, it } from 'vitest'
import { KnownBeginnings } from '../../../../lib/providers/openai/completions/known-beginning.ts'

const items = Array.from({ length: 5 }, (_, index) => ({ index }))

describe('what was made of a beginning', () => {
  it('is found in the list that has grown, and not in one that begins otherwise or ends earlier', () => {
    const known = new KnownBeginnings<object, string>()
    known.keep({ items: items.slice(0, 3), value: 'three' }, undefined)
    expect(known.find(items)?.value).toBe('three')
    expect(known.find(items.slice(0, 3))?.value).toBe('three')
    expect(known.find(items.slice(0, 2))).toBeUndefined()
    expect(known.find([{ index: 0 }, ...items.slice(1)])).toBeUndefined()
    expect(known.find([{ index: -1 }, ...items])).toBeUndefined()
    expect(known.find([])).toBeUndefined()
  })

  it('is the longest that is taken', () => {
    const known = new KnownBeginnings<object, string>()
    known.keep({ items: items.slice(0, 1), value: 'one' }, undefined)
    known.keep({ items: items.slice(0, 4), value: 'four' }, undefined)
    expect(known.find(items)?.value).toBe('four')
    expect(known.find(items, ({ value }) => value !== 'four')?.value).toBe('one')
  })

  it('is forgotten when it has grown', () => {
    const known = new KnownBeginnings<object, string>()
    const before = { items: items.slice(0, 2), value: 'two' }
    known.keep(before, undefined)
    known.keep({ items: items.slice(0, 4), value: 'four' }, before)
    expect(known.find(items)?.value).toBe('four')
    expect(known.find(items.slice(0, 3))).toBeUndefined()
  })

  it('is forgotten when its last item goes on in a list that begins otherwise, as in a window that slides', () => {
    const known = new KnownBeginnings<object, string>()
    known.keep({ items: items.slice(0, 3), value: 'three' }, undefined)
    expect(known.find(items.slice(1, 4))).toBeUndefined()
    expect(known.find(items.slice(0, 3))).toBeUndefined()
  })
})
