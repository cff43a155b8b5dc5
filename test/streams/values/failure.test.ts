// Tests the failure class and the table of its codes.
import { describe, expect, it } from 'vitest'
import { Failure, failureTable } from '../../../lib/streams/values/failure.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'

/** docs/errors.md. */
const codes: readonly [FailureCode, exitCode: number, recoverable: boolean][] = [
  ['bad_json', 2, false],
  ['bad_request', 2, false],
  ['bad_config', 2, false],
  ['unknown_command', 2, false],
  ['unknown_session', 2, false],
  ['unknown_surface', 1, false],
  ['session_locked', 1, true],
  ['read_only', 1, false],
  ['busy', 1, true],
  ['overloaded', 1, true],
  ['timeout', 124, true],
  ['cancelled', 130, true],
  ['disconnected', 1, true],
  ['no_server', 1, true],
  ['no_model', 2, true],
  ['server_running', 1, false],
  ['unsafe_socket', 1, false],
  ['not_allowed', 1, false],
  ['unsupported_version', 1, false],
  ['provider_error', 3, true],
  ['mcp_error', 1, true],
  ['message_too_large', 2, false],
  ['storage', 5, true],
  ['internal', 1, false],
]

describe('the table of failures', () => {
  it.each(codes)('%s ends the command with %i', (code, exitCode, recoverable) => {
    expect(failureTable[code]).toMatchObject({ exitCode, recoverable })
  })

  it('has no other code, and a sentence for each [WIRE-codes]', () => {
    expect(Object.keys(failureTable).sort()).toEqual(codes.map(([code]) => code).sort())
    for (const { meaning } of Object.values(failureTable)) expect(meaning).toMatch(/^[A-Z].*\.$/)
  })
})

describe('Failure', () => {
  it('is an Error with a code, data and a cause', () => {
    const cause = new Error('ENOSPC')
    const failure = new Failure('storage', 'Could not write', { data: { path: 'a' }, cause })
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toMatchObject({
      name: 'Failure',
      code: 'storage',
      message: 'Could not write',
      data: { path: 'a' },
      cause,
    })
    expect(failure.recoverable).toBe(true)
  })

  it('has empty data and no cause by default', () => {
    const failure = new Failure('internal', 'x')
    expect(failure.data).toEqual({})
    expect('cause' in failure).toBe(false)
    expect(failure.recoverable).toBe(false)
  })
})

describe('Failure.from', () => {
  it('returns a Failure unchanged', () => {
    const failure = new Failure('busy', 'x')
    expect(Failure.from(failure, 'internal')).toBe(failure)
  })

  it.each([
    ['an Error', new TypeError('x is not a function'), 'x is not a function'],
    ['an Error without words', new RangeError(), 'RangeError'],
    ['a text', 'sad', 'sad'],
    ['nothing', undefined, 'undefined'],
  ])('wraps %s as its cause', (_, thrown, message) => {
    const failure = Failure.from(thrown, 'provider_error')
    expect(failure).toMatchObject({ code: 'provider_error', message })
    expect(failure.cause).toBe(thrown)
  })

  it('uses `internal` by default', () => {
    expect(Failure.from(new Error('x')).code).toBe('internal')
  })
})
