// Tests frontmatter: plain lines read as the YAML library reads them, and what is wrong is named.
import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { loadedYaml, readFrontmatter, yamlParser$ } from '../../../lib/context/files/frontmatter.ts'
import { resultOf } from '../../support/result-of.ts'

const file = (yaml: string): string => `---\n${yaml}\n---\nbody\n`

describe('frontmatter', () => {
  it('is optional, and ends at its own line', () => {
    expect(readFrontmatter('# Title\n\n---\n')).toEqual({ fields: {}, body: '# Title\n\n---\n' })
    expect(readFrontmatter('---\r\nname: a\r\n---\r\nbody')).toEqual({ fields: { name: 'a' }, body: 'body' })
    expect(readFrontmatter('---\n---\nbody')).toEqual({ fields: {}, body: 'body' })
  })

  it.each([
    ['---\nname: a\n', 'no closing ---'],
    [file('description: [unclosed'), 'not valid YAML'],
    [file('- a\n- b'), 'not a list of names and values'],
    [file('a: 1\na: 2'), 'not valid YAML'],
  ])('names the problem of %j', (text, problem) => {
    expect(readFrontmatter(text, load)).toMatchObject({
      fields: {},
      problem: expect.stringContaining(problem) as unknown,
    })
  })

  it.each([
    'a: "x\\ty"',
    "a: 'it''s'",
    'a: 1',
    'a: true',
    'a: |\n  x',
    'a: x # note',
    'a: x: y',
    'a:\n  b: c',
    '# note',
    'a: x\na: y',
  ])('leaves %j to the YAML library', (yaml) => {
    expect(readFrontmatter(file(yaml))).toBeUndefined()
  })

  it('reads plain lines as the YAML library does', () => {
    const words = fc.oneof(
      ...[/^[A-Za-z][ -~]{0,30}$/, /^"[ -~]{0,30}"$/, /^'[ -~]{0,30}'$/].map((form) => fc.stringMatching(form)),
    )
    const name = fc.stringMatching(/^[A-Za-z][a-zA-Z0-9_-]{0,8}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, words), { minLength: 1, maxLength: 4 }), (fields) => {
        const yaml = fields.map(([key, value]) => `${key}: ${value}`).join('\n')
        const plain = readFrontmatter(file(yaml))
        if (plain !== undefined) expect(plain.fields).toEqual(load(yaml))
      }),
    )
  })

  it('loads the YAML library once', async () => {
    const parse = await resultOf(yamlParser$)
    expect(parse('a: [1]')).toEqual({ a: [1] })
    expect(loadedYaml()).toBe(parse)
  })
})
