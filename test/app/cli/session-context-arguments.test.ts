// Tests the arguments of `rxpi context`.
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'

describe('rxpi context', () => {
  it.each([
    [['--cwd', '/a'], { cwd: '/a', from: 'unstored' }, false],
    [['--cwd', '/a', '--json', '--model', 'a/b'], { cwd: '/a', from: 'unstored', model: 'a/b' }, true],
    [['abcdefghij23'], { cwd: process.cwd(), from: { session: 'abcdefghij23' } }, false],
  ])('%j', (words, choice, json) => {
    expect(parseCommandLine(['context', ...words])).toEqual({ mode: 'context', choice, json })
  })

  it.each([
    [['nope'], /must be the id of a session/],
    [['abcdefghij23', 'x'], /unexpected argument "x"/],
    [['abcdefghij23', '--cwd', '/a'], /its own folder/],
    [['--model', ''], /must not be empty/],
    [['--system', 'x'], /has no option --system/],
  ])('%j is refused', (words, message) => {
    expect(() => parseCommandLine(['context', ...words])).toThrow(message)
  })
})
