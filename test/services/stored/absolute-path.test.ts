// Tests the check that a path from a client is absolute.
import { describe, expect, it } from 'vitest'
import { absolutePath } from '../../../lib/services/stored/check-path.ts'

describe('a path that a client names', () => {
  it('is returned if it is absolute', () => {
    expect(absolutePath('file', '/a/b')).toBe('/a/b')
  })

  it.each([
    ['relative', 'a/b', 'file is "a/b", which is not an absolute path'],
    ['empty', '', 'file is "", which is not an absolute path'],
    ['one with a NUL', '/a\0b', 'file contains a NUL character, which no path can'],
  ])('is refused if it is %s', (_, path, message) => {
    expect(() => absolutePath('file', path)).toThrow(expect.objectContaining({ code: 'bad_request', message }))
  })
})
