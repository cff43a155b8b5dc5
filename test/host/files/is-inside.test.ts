// Tests whether a path is inside a folder.
import { expect, it } from 'vitest'
import { isInside } from '../../../lib/host/files/resolve-path.ts'

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b/c/d', '/a/b', true],
  ['/a', '/', true],
  ['/a/b/..c', '/a/b', true],
  ['/a/b/..', '/a/b', false],
  ['/a/b/../c', '/a/b', false],
  ['/a/bc', '/a/b', false],
  ['/a', '/a/b', false],
  ['/c/d', '/a/b', false],
])('%s in %s: %s', (target, folder, is) => {
  expect(isInside(target, folder)).toBe(is)
})
