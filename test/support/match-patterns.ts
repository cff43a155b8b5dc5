// Lets a regular expression in an expected value match text: without it, `toMatchObject` takes one for any value.
import { expect } from 'vitest'

const isAdded = Symbol.for('rxpi.test.matchPatterns')

/** Undefined leaves the comparison to the runner. */
function matchPattern(actual: unknown, expected: unknown): boolean | undefined {
  if (!(expected instanceof RegExp) || actual instanceof RegExp) return undefined
  return typeof actual === 'string' && new RegExp(expected, expected.flags.replace(/[gy]/g, '')).test(actual)
}

// Testers are kept for the process, and this file runs for each test file.
if (!Object.hasOwn(globalThis, isAdded)) {
  Object.defineProperty(globalThis, isAdded, { value: true })
  expect.addEqualityTesters([matchPattern])
}
