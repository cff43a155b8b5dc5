import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedJson } from '../../lib/providers/shared-json.ts'

/** Counts how often it is made into text. */
function counted(text: string) {
  const item = {
    times: 0,
    toJSON: () => {
      item.times += 1
      return { text }
    },
  }
  return item
}

describe('the JSON of a body', () => {
  it('is that of the whole, whatever it holds', () => {
    const body = fc.record({
      messages: fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      x: fc.jsonValue(),
      y: fc.constant(undefined),
    })
    fc.assert(
      fc.property(body, (each) => {
        expect(JSON.parse(sharedJson(each, 'messages'))).toEqual(JSON.parse(JSON.stringify(each)))
      }),
    )
  })

  it('is well formed where there is nothing but the list', () => {
    expect(sharedJson({ messages: [] }, 'messages')).toBe('{"messages":[]}')
  })

  it('makes the text of an item once, however many bodies have it, and of a long one each time', () => {
    const [short, long] = [counted('x'), counted('x'.repeat(5_000))]
    const bodies = [1, 2].map((n) => ({ messages: [short, long], n }))
    const texts = bodies.map((body) => sharedJson(body, 'messages'))
    expect(texts.map((text) => (JSON.parse(text) as { n: number }).n)).toEqual([1, 2])
    expect([short.times, long.times]).toEqual([1, 2])
  })
})
