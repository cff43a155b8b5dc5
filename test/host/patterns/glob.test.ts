// Tests globs: what they match, and that no glob takes long.
import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../../lib/host/patterns/glob.ts'

describe('compileGlob', () => {
  it.each([
    ['*.ts', 'src/a.ts', true],
    ['*.ts', 'src/a.tsx', false],
    ['/a.ts', 'src/a.ts', false],
    ['./a.ts', 'a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**', 'src', false],
    ['src/**', 'src/deep/.a', true],
    ['src/**/a', 'src/a', true],
    ['src/**a', 'src/b-a', true],
    ['**/src/*', 'src/a', true],
    ['**/b', 'a/b', true],
    ['[!a]', 'b', true],
    ['[]a]', ']', true],
    ['a.b', 'a b', false],
    ['***a.b', 'a b', false],
    ['a//b', 'a/b', true],
    ['a(b)|c+', 'a(b)|c+', true],
    [String.raw`\*`, '*', true],
    [String.raw`\d`, '5', false],
    ['[z-a]', 'z', false],
    ['{a,b}', '{a,b}', true],
    ['', '', true],
  ])('%s and %s: %s [TOOLS-search-find]', (glob, file, isMatch) => {
    expect(compileGlob(glob).matches(file)).toBe(isMatch)
  })

  it.each([
    ['*.{ts,js}', 'a.js', true],
    ['{a,b/{c,d}}', 'b/d', true],
    ['{a,b', '{a,b', true],
    ['{1..3}', '2', false],
  ])('with braces %s and %s: %s', (glob, file, isMatch) => {
    expect(compileGlob(glob, { hasBraces: true }).matches(file)).toBe(isMatch)
  })

  it.each([
    ['**/part-7/*.txt', 'part-7/'],
    ['**/src/**', 'src'],
    ['a/**/long.ts', 'long.ts'],
    ['a**b/cd', 'b/cd'],
    ['**/a/b', 'a/b'],
    ['*.{ts,js}', ''],
    ['[ab]c', ''],
    [String.raw`a\*`, ''],
    ['**', ''],
  ])('needs of each path that %s matches the text "%s" [TOOLS-search-find]', (glob, needed) => {
    expect(compileGlob(glob, { hasBraces: true }).needed).toBe(needed)
  })

  it.each(['*a'.repeat(40), '**/'.repeat(200), '[a'.repeat(1_000), '*'.repeat(5_000), '{a,'.repeat(500)])(
    'takes no exponential time: %#',
    (glob) => {
      const { matches } = compileGlob(glob, { hasBraces: true })
      for (let round = 0; round < 100; round += 1) expect(matches('a'.repeat(200))).toBeTypeOf('boolean')
    },
  )
})
