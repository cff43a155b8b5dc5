// Resolves a model of a plan with the token of an account, whose requests go to a server on this machine.
import { EMPTY, of } from 'rxjs'
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { presets } from '../../../lib/providers/endpoints/presets.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { resultOf } from '../../support/result-of.ts'
import type { ClosableProvider } from './api-contract.ts'

/** @param name `provider/id` @param server in place of the vendor's origin; paths stay */
export async function planProvider(name: string, server: string): Promise<ClosableProvider> {
  const plan = name.slice(0, name.indexOf('/'))
  const { origin } = new URL(presets[plan]?.baseUrl ?? server)
  const account: StoredAccount = {
    ...{ id: 'abcdefgh', provider: plan, origin, kept: 'file', renewedAt: 1, accountId: 'account-1' },
  }
  const accounts = { list: (wanted: string) => (wanted === plan ? [account] : []), access: () => of('a-token') }
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    return httpFetch(`${server}${pathname}${search}`, init)
  }
  const authStorage = { list: () => [], read: () => EMPTY, accounts }
  const options = { name, env: {}, authStorage, memory: createKeyMemory(), models: { providers: {} }, fetch }
  const { provider } = await resultOf(resolveModel(options))
  return { provider, close: () => Promise.resolve() }
}
