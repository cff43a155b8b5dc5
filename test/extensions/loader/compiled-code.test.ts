// Tests the memory of compiled modules: what is compiled again, and its bound.
import { expect, it } from 'vitest'
import { compiledCode, maxCompiled } from '../../../lib/extensions/loader/compiled-code.ts'

it('compiles a source once for its file and form, and forgets what exceeds the bound', () => {
  let compiled = 0
  const code = (source: string, filename = '/a.ts', isAsync = true, length = 1): string =>
    compiledCode({ source, filename, async: isAsync }, () => `${(compiled += 1)}`.repeat(length))
  expect([code('one'), code('one'), code('two'), code('one', '/b.ts'), code('one', '/a.ts', false)]).toEqual(['1', '1', '2', '3', '4']) // prettier-ignore
  expect(code('huge', '/h.ts', true, maxCompiled + 1)).not.toBe(code('huge', '/h.ts', true, maxCompiled + 1))
  expect(code('one')).toBe('1')
  code('large', '/l.ts', true, maxCompiled)
  expect(code('one')).not.toBe('1')
})
