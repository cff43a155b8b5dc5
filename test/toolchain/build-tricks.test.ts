// Tests that each rewrite of a bundle can be left out of a build.
import { expect, it } from 'vitest'
import { hasBuildTrick } from '../../scripts/build/build-tricks.ts'

it.each([
  [undefined, true],
  ['', true],
  ['late-builtins', true],
  ['late-builtins,eager-functions', false],
])('RXPI_BUILD_WITHOUT=%s', (names, isOn) => {
  expect(hasBuildTrick('eager-functions', { RXPI_BUILD_WITHOUT: names })).toBe(isOn)
})

it('refuses an unknown name', () => {
  expect(() => hasBuildTrick('eager-functions', { RXPI_BUILD_WITHOUT: 'eager' })).toThrow('there is no "eager"')
})
