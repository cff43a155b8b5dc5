// Tests the writer that turns values under JSON paths into the text of one object.
import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { createJsonPathWriter } from '../../../lib/providers/google/google-parts.ts'
import type { PathValue } from '../../../lib/providers/google/google-parts.ts'

type Piece = readonly [jsonPath: string, value: PathValue['value'], continues?: true]

function written(...pieces: readonly Piece[]): { readonly text: string; readonly object: object } {
  let text = ''
  const writer = createJsonPathWriter((piece) => (text += piece))
  for (const [jsonPath, value, continues] of pieces) writer.write({ jsonPath, value, continues: continues === true })
  return { object: writer.end(), text }
}

describe('values under paths', () => {
  it.each<[string, readonly Piece[], object]>([
    ['nothing', [], {}],
    [
      'one of each kind',
      [
        ['$.a', 'x'],
        ['$.b', 1.5],
        ['$.c', true],
        ['$.d', null],
      ],
      { a: 'x', b: 1.5, c: true, d: null },
    ],
    [
      'a text in pieces',
      [
        ['$.a', 'x"', true],
        ['$.a', '\n', true],
        ['$.a', ''],
      ],
      { a: 'x"\n' },
    ],
    [
      'a text that another value ends',
      [
        ['$.a', 'x', true],
        ['$.b', 'y', true],
      ],
      { a: 'x', b: 'y' },
    ],
    [
      'nested objects and lists',
      [
        ['$.r.i[0].n', 'a'],
        ['$.r.i[0].m', 'b'],
        ['$.r.i[1].n', 'c'],
        ['$.r.s[0]', 'd'],
        ['$.r.s[1]', 'e'],
      ],
      { r: { i: [{ n: 'a', m: 'b' }, { n: 'c' }], s: ['d', 'e'] } },
    ],
    [
      'lists of lists',
      [
        ['$.a[0][0]', 1],
        ['$.a[0][1]', 2],
        ['$.a[1][0]', 3],
      ],
      { a: [[1, 2], [3]] },
    ],
    [
      'names in brackets',
      [
        ["$['a b'].c", 1],
        ['$["d.e"]', 2],
      ],
      { 'a b': { c: 1 }, 'd.e': 2 },
    ],
    ['a name that means something', [['$.__proto__.x', 1]], JSON.parse('{"__proto__":{"x":1}}') as object],
  ])('of %s become an object and its text', (_, pieces, expected) => {
    const { text, object } = written(...pieces)
    expect(object).toEqual(expected)
    expect(text === '' ? {} : JSON.parse(text)).toEqual(expected)
  })

  it('become valid JSON also if they are out of order', () => {
    const { text, object } = written(['$.a.x', 1], ['$.b', 2], ['$.a.y', 3])
    expect(object).toEqual({ a: { x: 1, y: 3 }, b: 2 })
    expect(() => void JSON.parse(text)).not.toThrow()
  })

  it.each(['', 'a', '$', '$.', '$a', '$[0]', '$.a[', '$.a[x]', '$.a..b'])('under the path "%s" are ignored', (path) => {
    expect(written([path, 1], ['$.ok', 2])).toEqual({ text: '{"ok":2}', object: { ok: 2 } })
  })

  it('keep surrogate pairs that are split between two pieces', () => {
    const { text, object } = written(['$.a', '\ud83d', true], ['$.a', '\ude00'])
    expect(object).toEqual({ a: '😀' })
    expect(JSON.parse(text)).toEqual({ a: '😀' })
  })

  it('of any object, in order, restore it', () => {
    const name = fc.stringMatching(/^[a-z]{1,4}$/)
    const { tree } = fc.letrec<{ tree: object }>((tie) => ({
      tree: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), tie('tree'))),
    }))
    fc.assert(
      fc.property(tree, (object) => {
        const leaves = [...leavesOf(object, '$')]
        const found = written(...leaves)
        expect(found.object).toEqual(found.text === '' ? {} : JSON.parse(found.text))
        expect([...leavesOf(found.object, '$')]).toEqual(leaves)
      }),
      { numRuns: 100 },
    )
  })
})

function* leavesOf(value: object, path: string): Generator<Piece> {
  for (const [name, inner] of Object.entries(value) as [string, PathValue['value'] | object][]) {
    if (typeof inner === 'object' && inner !== null) yield* leavesOf(inner, `${path}.${name}`)
    else yield [`${path}.${name}`, inner]
  }
}
