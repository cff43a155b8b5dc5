// Tests that a failure to reach an endpoint names its address, and where the address is set.
import { expect, it } from 'vitest'
import { nameAddress } from '../../../lib/providers/resolve/provider-model.ts'
import { thrownFailure } from '../../../lib/providers/http/provider-failure.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })
const baseUrl = 'http://127.0.0.1:9/v1?key=secret'

it.each([
  [undefined, 'mine could not be reached at http://127.0.0.1:9/v1: nothing answers there; is it running?'],
  [
    'OPENAI_BASE_URL',
    'mine could not be reached at http://127.0.0.1:9/v1 (set in OPENAI_BASE_URL): nothing answers there; is it running?',
  ],
])('an endpoint that cannot be reached, set in %s, is named with its URL [FIRST-results]', (addressFrom, message) => {
  const endpoint = { baseUrl, ...(addressFrom === undefined ? {} : { addressFrom }) }
  const named = nameAddress(thrownFailure(refused, { provider: 'mine' }), endpoint)
  expect(named).toMatchObject({
    code: 'provider_error',
    message,
    data: { kind: 'network', systemCode: 'ECONNREFUSED' },
  })
})

it('another failure stays as it is', () => {
  const failure = new Failure('provider_error', 'mine answered 500', { data: { kind: 'overloaded' } })
  expect(nameAddress(failure, { baseUrl })).toBe(failure)
})
