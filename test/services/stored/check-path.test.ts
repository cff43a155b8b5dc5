// Tests the check of a session's folder.
import { describe, expect, it } from 'vitest'
import { checkFolder } from '../../../lib/services/stored/check-path.ts'

describe('the folder of a session', () => {
  it('is accepted if it exists', () => {
    expect(() => {
      checkFolder('/')
    }).not.toThrow()
  })

  it.each([
    ['relative', 'work', 'not an absolute path'],
    ['not there', '/there/is/no/such/folder', 'not a folder'],
    ['a file', import.meta.filename, 'not a folder'],
    ['one with a NUL', '/tmp\0', 'NUL'],
    ['longer than the system takes', `/${'a'.repeat(5_000)}`, 'cannot be read: the name is too long'],
  ])('is refused if it is %s', (_, cwd, text) => {
    expect(() => {
      checkFolder(cwd)
    }).toThrow(expect.objectContaining({ code: 'bad_request', message: expect.stringContaining(text) as unknown }))
  })
})
