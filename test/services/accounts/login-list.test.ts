// Tests which sign-ins the server remembers.
import { EMPTY, NEVER, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createLoginList } from '../../../lib/services/accounts/login-list.ts'
import type { LoginStart } from '../../../lib/services/accounts/login-list.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'

const signIn = (key: string, updates$: ReturnType<LoginStart['flow']>['updates$']): LoginStart => ({
  key,
  facts: { provider: key, title: key, method: 'device' },
  flow: () => ({ updates$, input: () => undefined }),
  store: () => EMPTY,
})
const failed$ = throwError(() => new Failure('provider_error', 'no'))

describe('a list of sign-ins', () => {
  it('forgets the oldest that are over, never one that runs', async () => {
    const logins = createLoginList()
    const running = await resultOf(logins.start(signIn('slow', NEVER)))
    const first = await resultOf(logins.start(signIn('0', failed$)))
    for (let index = 1; index < 32; index += 1) await resultOf(logins.start(signIn(String(index), failed$)))
    await expect(resultOf(logins.cancel(first.loginId))).rejects.toMatchObject({ code: 'bad_request' })
    expect(await resultOf(logins.cancel(running.loginId))).toMatchObject({ step: 'cancelled' })
  })
})
