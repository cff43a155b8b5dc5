// Answers the commands about accounts: sign-in, list, sign-out. No result holds a token.
import { defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { loginMethods } from '../../providers/accounts/account-vendor.ts'
import type { AccountGrant, AccountVendor } from '../../providers/accounts/account-vendor.ts'
import { accountVendor, accountVendors } from '../../providers/accounts/account-vendors.ts'
import { listKeys, presets } from '../../providers/index.ts'
import type { EndpointSources, Fetch } from '../../providers/index.ts'
import { describeAccount } from '../../providers/keys/account-keys.ts'
import type { AccountStorage, AccountToStore, AccountWasStored } from '../../streams/accounts/account-storage.ts'
import type { LoginState } from '../../streams/commands/account-commands.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import { getOwn } from '../../streams/values/json.ts'
import { presetModel } from '../models/preset-model.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { AccountsBackend, Fields } from '../contract/server-backend.ts'
import { browserLogin } from './browser-login.ts'
import { deviceLogin } from './device-login.ts'
import { createLoginList, keychainNotice } from './login-list.ts'
import type { LoginStart } from './login-list.ts'

export interface AccountsBackendOptions {
  readonly storage: AccountStorage
  /** The sources of keys, and the store of tokens, for a client of this environment. */
  surroundings(command: Pick<Fields<'auth_login'>, 'cwd' | 'env'>): AccountSurroundings
  readonly fetch?: Fetch
  /** Replaces the port that vendors know; for tests. */
  readonly callbackPort?: number
}

export interface AccountSurroundings {
  readonly sources: EndpointSources
  readonly where: AccountToStore['where']
}

export interface EndingAccountsBackend extends AccountsBackend {
  /** Begins a sign-in that is not to a vendor; the list shows it with the others. */
  readonly begin: (login: LoginStart) => Observable<ResultOf<'auth_login'>>
  /** Cancels the sign-ins that are not over. */
  readonly close: () => void
}

export function createAccountsBackend(options: AccountsBackendOptions): EndingAccountsBackend {
  const { storage } = options
  const list = createLoginList()
  const answer$ = map((login: LoginState) => ({ login }))
  return {
    login: (command) => defer(() => list.start(loginStart(command, options))).pipe(answer$),
    wait: ({ loginId, revision }) => list.wait(loginId, revision).pipe(answer$),
    input: ({ loginId, text }) => list.input(loginId, text).pipe(answer$),
    cancel: ({ loginId }) => list.cancel(loginId).pipe(answer$),
    accounts: () => defer(() => of({ vendors: accountVendors.map((vendor) => describeVendor(vendor, storage)) })),
    logout: ({ provider }) =>
      storage.remove(provider).pipe(
        map((removed) => {
          if (removed > 0) return { removed }
          throw new Failure('bad_request', `No account of ${provider} is stored; rxpi auth list shows the accounts.`)
        }),
      ),
    begin: (login) => list.start(login).pipe(answer$),
    close: list.close,
  }
}

function describeVendor(vendor: AccountVendor, storage: AccountStorage) {
  const { provider, title } = vendor
  const [account] = storage.list(provider)
  const known = account === undefined ? {} : { account: describeAccount(account) }
  const only = getOwn(presets, provider)?.account?.required === true ? { onlyAccount: true as const } : {}
  return { provider, title, methods: [...loginMethods(vendor)], ...known, ...only }
}

/** @throws Failure `bad_request` for a provider, a method or a domain without a sign-in */
function loginStart(
  { provider, method: wanted, domain: host, ...surroundings }: Fields<'auth_login'>,
  { storage, surroundings: surroundingsOf, fetch, callbackPort }: AccountsBackendOptions,
): LoginStart {
  const vendor = accountVendor(provider)
  if (vendor === undefined) {
    const names = accountVendors.map((each) => each.provider).join(', ')
    throw new Failure('bad_request', `rxpi cannot sign in to "${provider}"; it can to ${names}.`)
  }
  const methods = loginMethods(vendor)
  const method = wanted ?? methods[0]
  if (method === undefined || !methods.includes(method))
    throw new Failure(
      'bad_request',
      `${vendor.title} has no sign-in by ${wanted ?? 'any method'}; it has ${methods.join(', ')}.`,
    )
  if (host !== undefined && vendor.domain === undefined)
    throw new Failure('bad_request', `${vendor.title} has no installations of companies: leave the domain out.`)
  const domain = host === vendor.domain ? undefined : host?.toLowerCase()
  const access = { vendor, domain, fetch }
  const { sources, where } = surroundingsOf(surroundings)
  return {
    key: [provider, method, domain].join(' '),
    facts: { provider, title: vendor.title, method, ...(vendor.terms === undefined ? {} : { terms: vendor.terms }) },
    flow: () => (method === 'browser' ? browserLogin(access, callbackPort) : deviceLogin(access)),
    store: ({ tokens, facts, origin }: AccountGrant) =>
      storage.store({ ...facts, provider, origin, tokens, where }).pipe(
        map((stored) => ({
          account: describeAccount(stored),
          ...presetModel(provider),
          notices: [...keychainNotice(stored), ...unusedNotice(stored, sources)],
        })),
      ),
  }
}

type Notices = NonNullable<LoginState['notices']>

function unusedNotice({ provider, id }: AccountWasStored, sources: EndpointSources): Notices {
  const keys = listKeys(sources).find((listed) => listed.provider === provider)?.keys ?? []
  const because = keys.find(({ account }) => account?.accountId === id)?.unusedBecause
  return because === undefined
    ? []
    : [{ code: 'key_unused', message: `You are signed in, but the account is not used: ${because}.` }]
}
