// Tests that the patterns of foreign schemas cannot hold the process.
import { afterAll, describe, expect, it } from 'vitest'
import { endPatternWorker } from '../../../lib/host/patterns/pattern-worker.ts'
import { compileForeignSchema } from '../../../lib/services/schemas/compile-foreign-schema.ts'

afterAll(endPatternWorker)

const check = (pattern: string) =>
  compileForeignSchema({ type: 'object', properties: { a: { type: 'string', pattern } } } as never)
const evil = `${'a'.repeat(40)}!`

/** Milliseconds that the call held the process. */
function held(call: () => unknown): number {
  const begin = performance.now()
  call()
  return performance.now() - begin
}

describe('a foreign schema', () => {
  it('matches a hostile pattern in linear time [S27a]', () => {
    const validate = check('^(a+)+$')
    expect(held(() => validate({ a: evil }))).toBeLessThan(2_000)
    expect(validate({ a: evil })).toEqual([{ path: '/a', reason: 'must have the form ^(a+)+$' }])
    expect(validate({ a: 'aaa' })).toEqual([])
  })

  it('compares each value with the pattern of its own [S27a]', () => {
    const schema = { type: 'object', properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }
    const validate = compileForeignSchema(schema as never)
    expect(validate({ a: 'a', b: 'b' })).toEqual([])
    expect(validate({ a: 'a', b: 'a' })).toEqual([{ path: '/b', reason: 'must have the form ^b$' }])
  })

  it('matches patterns in a worker if the linear engine refuses them [S27b]', () => {
    const validate = check('^(?!b)[a-z]+$')
    expect([validate({ a: 'abc' }), validate({ a: 'bcd' }).length]).toEqual([[], 1])
  })

  it('gives up after 100 ms, counts it as unmatched and says so [S27b]', () => {
    const validate = check('^(?=a)(a+)+$')
    const late = {
      path: '',
      reason:
        'could not be compared with the form ^(?=a)(a+)+$ within 100 ms, which counts as not matched; simplify this pattern of the schema',
    }
    const times = Array.from({ length: 6 }, () => held(() => expect(validate({ a: evil })).toContainEqual(late)))
    expect(Math.max(...times)).toBeLessThan(3_000) // 100 ms and a start of the worker, on a busy machine
    // a pattern that was late three times is not tried again; one of the three others is quick on any machine
    expect(Math.min(...times.slice(3))).toBeLessThan(50)
  })

  it('shares the 100 ms among all matches of one validation [S27b]', () => {
    const lengths = Array.from({ length: 40 }, (_, index) => index + 1)
    const validate = compileForeignSchema({
      type: 'object',
      properties: Object.fromEntries(
        lengths.map((length) => [`a${length}`, { type: 'string', pattern: `^(?=a{${length}})(a+)+$` }]),
      ),
    } as never)
    const args = Object.fromEntries(lengths.map((length) => [`a${length}`, evil]))
    expect(held(() => validate(args))).toBeLessThan(3_000) // 100 ms for each pattern would be 4 s
  })

  it('refuses an invalid pattern when it is compiled', () => {
    expect(() => check('(')({})).toThrow(/regular expression/i)
  })
})
