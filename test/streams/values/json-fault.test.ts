// Tests the position and text of a JSON syntax error.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonFault } from '../../../lib/streams/values/json-fault.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('jsonFault', () => {
  it.each([
    ['', 1, 1, 'the text ends too early'],
    ['{\n  "a": [1, 2,\n', 3, 1, 'the text ends too early'],
    ['{\n  "a": 1,\n}', 3, 1, 'a name in double quotes is expected'],
    ["{'a': 1}", 1, 2, 'a name in double quotes is expected'],
    ['{\r\n  "a" 1}', 2, 7, 'a colon is expected'],
    ['{"a": }', 1, 7, 'a value is expected'],
    ['{"a": tru}', 1, 7, 'a value is expected'],
    ['{"a": sk-123}', 1, 7, 'a value is expected'],
    ['[1,]', 1, 4, 'a value is expected'],
    ['[1 2]', 1, 4, 'a comma or ] is expected'],
    ['{"a": 01}', 1, 8, 'a comma or } is expected'],
    ['{"a": 1}}', 1, 9, 'nothing may follow the end'],
    ['{"a": "x\n"}', 1, 7, 'the string does not end in its line, or has an invalid escape'],
    ['{"a": "\\x"}', 1, 7, 'the string does not end in its line, or has an invalid escape'],
    ['{"a\\": 1}', 1, 2, 'the string does not end in its line, or has an invalid escape'],
    ['// comment\n{}', 1, 1, 'a value is expected'],
    ['[1}', 1, 3, 'a comma or ] is expected'],
  ])('finds in %j line %i, column %i: %s', (text, line, column, problem) => {
    expect(jsonFault(text)).toEqual({ line, column, problem })
  })

  it.each(['{}', '[]', ' [1, -0.5e+7, "\\u00e4", true, false, null, {"a": {}}] ', '"x"', '\t0\n'])(
    'finds no fault in %j',
    (text) => {
      expect(jsonFault(text)).toBeUndefined()
    },
  )

  it('agrees with the engine on valid JSON', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '0',
      '.',
      'e',
      'true',
      'null',
      ' ',
      '\n',
      'x',
    )
    const tokens = fc.array(token, { maxLength: 12 }).map((parts) => parts.join(''))
    const damaged = fc.tuple(fc.json(), fc.nat(), token).map(([text, offset, mark]) => {
      const position = offset % (text.length + 1)
      return text.slice(0, position) + mark + text.slice(position + 1)
    })
    fc.assert(
      fc.property(fc.oneof(fc.json(), tokens, damaged), (text) => {
        expect(jsonFault(text) === undefined).toBe(parses(text))
      }),
      { numRuns: 2000 },
    )
  })
})
