// Tests the text of a thrown value.
import { describe, expect, it } from 'vitest'
import { Failure, describeThrown } from '../../../lib/streams/values/failure.ts'

const withoutText: unknown = Object.create(null)

describe('describeThrown', () => {
  it.each<[string, unknown, string]>([
    ["an error's message", new Error('no space'), 'no space'],
    ["an error's name if it has no message", new TypeError(), 'TypeError'],
    ['a text', 'no space', 'no space'],
    ['a value that is no error', 404, '404'],
    ['nothing', undefined, 'undefined'],
    ['an object that has no text', withoutText, 'the thrown value has no text'],
    [
      'an error that does not tell',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('y')
        },
      }),
      'the thrown value has no text',
    ],
  ])('describes %s', (_, thrown, text) => {
    expect(describeThrown(thrown)).toBe(text)
  })

  it('is the text that Failure uses', () => {
    expect(Failure.from(withoutText)).toMatchObject({ code: 'internal', message: 'the thrown value has no text' })
  })
})
