import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharedJson } from '../../../../lib/providers/openai/completions/shared-json.ts'

function text(body: { readonly messages: readonly object[]; readonly n?: number }): string {
  return Buffer.concat(sharedJson(body, 'messages')).toString()
}

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
        expect(JSON.parse(text(each))).toEqual(JSON.parse(JSON.stringify(each)))
      }),
    )
  })

  it('is well formed where there is nothing but the list', () => {
    expect(text({ messages: [] })).toBe('{"messages":[]}')
  })

  it('makes the text of an item once while the list grows, but for the first one', () => {
    const [first, second, third] = [counted('a'), counted('b'), counted('ü')]
    const lists = [
      [first, second],
      [first, second],
      [first, second, third],
    ]
    const texts = lists.map((messages, n) => text({ messages, n }))
    expect(texts.at(-1)).toBe('{"messages":[{"text":"a"},{"text":"b"},{"text":"ü"}],"n":2}')
    expect([first.times, second.times, third.times]).toEqual([3, 1, 1])
  })

  it('is right of each of two lists that begin alike, in whatever order they are asked for', () => {
    const items = Array.from({ length: 6 }, (_, index) => ({ index, text: 'x'.repeat(index * 7) }))
    const forks = [items, [...items.slice(0, 4), { index: 9 }], items.slice(0, 3), items]
    const bodies = [...forks, ...forks.toReversed()].map((messages) => ({ messages, n: messages.length }))
    for (const body of bodies) expect(text(body)).toBe(JSON.stringify(body))
  })

  it('stays what it was when the list has grown since', () => {
    const items = Array.from({ length: 4 }, (_, index) => ({ index }))
    const pieces = sharedJson({ messages: items.slice(0, 2) }, 'messages')
    sharedJson({ messages: items }, 'messages')
    sharedJson({ messages: [...items.slice(0, 2), { index: 9 }] }, 'messages')
    expect(Buffer.concat(pieces).toString()).toBe('{"messages":[{"index":0},{"index":1}]}')
  })

  it('keeps a mebibyte of a list, and makes the rest each time', () => {
    const items = [counted('-'), counted('a'.repeat(900_000)), counted('b'.repeat(200_000)), counted('c')]
    for (const n of [1, 2]) expect(JSON.parse(text({ messages: items, n }))).toMatchObject({ n })
    expect(items.map(({ times }) => times)).toEqual([2, 1, 2, 2])
  })
})
