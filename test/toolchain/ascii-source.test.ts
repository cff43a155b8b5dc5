// Tests that escaping a module to ASCII does not change its behaviour.
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { asciiSource } from '../../scripts/build/ascii-source.ts'

it.each([
  ['a text', `'a – b'`],
  ['a character of two units', `'😀'.length`],
  ['a template', '`→ ${1 + 1} …`'],
  ['a pattern', `/[ä-ü]/.test('ö')`],
  ['a pattern that knows whole characters', `/^[😀-😂]$/u.test('😁')`],
  ['a name', `(() => { const größe = 3; return größe })()`],
  ['a character that is escaped for nothing', String.raw`'\–' + /\…/.test('…')`],
  ['a character behind a backslash', String.raw`'\\–'`],
  ['a separator of lines', `'\u2028'.charCodeAt(0)`],
])('does not change the meaning of %s', (_, source) => {
  const ascii = asciiSource(source)
  expect(Buffer.byteLength(ascii)).toBe(ascii.length)
  expect(evaluated(ascii)).toEqual(evaluated(source))
})

it('leaves a module unchanged if it reads a raw template', () => {
  const source = "const a = '–', b = String.raw`–`"
  expect(asciiSource(source)).toBe(source)
})

function evaluated(source: string): unknown {
  return new Script(source).runInThisContext()
}
