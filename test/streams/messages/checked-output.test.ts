// Tests the check of an answer against the output schema.
import { describe, expect, it } from 'vitest'
import { outputCheck } from '../../../lib/streams/messages/checked-output.ts'

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { port: { type: 'integer', minimum: 1 }, names: { type: 'array', items: { type: 'string' } } },
  required: ['port'],
  additionalProperties: false,
}

describe('outputCheck', () => {
  it.each([
    ['{"port": 80}', { port: 80 }],
    ['\n {"port": 80, "names": ["a"]} \n', { port: 80, names: ['a'] }],
    ['```json\n{"port": 80}\n```', { port: 80 }],
    ['```\n{\n  "port": 80\n}\n```\n', { port: 80 }],
    ['```json \r\n\n\n{"port": 80}\r\n```', { port: 80 }],
  ])('takes %j', (answer, value) => {
    expect(outputCheck(schema)(answer)).toEqual({ ok: true, value })
  })

  it.each([
    ['', 'the answer is empty'],
    ['The port is 80.', 'the answer is not JSON'],
    ['Here it is: {"port": 80}', 'the answer is not JSON'],
    ['{"port": 80} {"port": 81}', 'the answer is not JSON'],
    ['{"port": "80"}', '/port must be a whole number'],
    ['{}', 'it needs the field "port"'],
    ['{"port": 0, "names": [1], "x": 2}', '/port must be at least 1; /names/0 must be text'],
    ['[]', 'it must be an object'],
  ])('refuses %j with a reason', (answer, problem) => {
    expect(outputCheck(schema)(answer)).toEqual({ ok: false, problem: expect.stringContaining(problem) as string })
  })

  it('scans an unclosed fence in linear time', () => {
    const answer = `\`\`\`${'\n'.repeat(400_000)}{}` // takes more than a minute if the time is quadratic
    expect(outputCheck(schema)(answer)).toMatchObject({ ok: false })
  })

  it('lists ten problems and counts the others', () => {
    const names = Array.from({ length: 15 }, () => 1)
    const checked = outputCheck(schema)(JSON.stringify({ port: 1, names }))
    expect(checked).toMatchObject({ ok: false, problem: expect.stringMatching(/; and 5 more$/) as string })
  })

  it.each([
    { type: 'objekt' },
    { type: 'object', required: 'port' },
    { properties: [] },
    { $ref: '#/$defs/missing' },
    { pattern: '(' },
  ])('refuses %j, which is no schema', (wrong) => {
    expect(() => outputCheck(wrong)).toThrow('the schema is not valid: ')
  })
})
