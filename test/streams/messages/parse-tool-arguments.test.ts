// Tests the parser of tool arguments and its error text.
import { describe, expect, it } from 'vitest'
import { argumentsProblem, parseToolArguments } from '../../../lib/streams/messages/parse-tool-arguments.ts'

describe('parseToolArguments', () => {
  it.each([
    ['{"path":"a"}', { path: 'a' }],
    [' {\n} ', {}],
    ['', {}],
    [' \n\t', {}],
  ])('reads %j', (text, args) => {
    expect(parseToolArguments(text)).toEqual({ arguments: args })
  })

  it.each(['{"path"', 'null', '[1]', '"text"', '7', 'path=a', '{"a":1}{"b":2}'])(
    'returns %j as unparsed text',
    (text) => {
      expect(parseToolArguments(text)).toEqual({ arguments: {}, argumentsText: text })
    },
  )
})

describe('argumentsProblem', () => {
  it.each([
    ['[1]', 'expected a JSON object, got an array'],
    ['null', 'expected a JSON object, got null'],
    ['"x"', 'expected a JSON object, got "x"'],
    ['{"a":', 'it is not JSON (line 1, column 6: the text ends too early)'],
  ])('describes the problem of %j', (text, problem) => {
    expect(argumentsProblem(text)).toBe(problem)
  })

  it('returns the object if there is no problem', () => {
    expect(argumentsProblem('{"a":[1]}')).toEqual({ a: [1] })
  })
})
