// Tests how a failure is written as JSON.
import { expect, it } from 'vitest'
import { failureShape, Failure } from '../../../lib/streams/values/failure.ts'

it('serialises the JSON fields and omits everything that is not JSON', () => {
  const circle: Record<string, unknown> = {}
  circle['again'] = circle
  const failure = new Failure('provider_error', 'said', { data: { kind: 'auth', circle, count: 10n } })
  expect(failureShape(failure)).toEqual({ code: 'provider_error', message: 'said', data: { kind: 'auth' } })
})

it('has no data if there is none', () => {
  expect(failureShape(new Failure('internal', 'said'))).toEqual({ code: 'internal', message: 'said' })
})
