// Finds the account of a provider: its access token stands for a key.
// Guarantees: the token goes only to the address that the account is bound to.
import { defer, tap } from 'rxjs'
import type { KeyOrigin } from '../../streams/commands/auth-commands.ts'
import type { AccountSource, StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { KeyAddress, KeySources, ProviderKey } from './provider-key.ts'

/** Returns the account as a key, if a person signed in to one. */
export function accountKeys(
  { provider, baseUrl, preset, isFromEnvironment }: KeyAddress,
  sources: KeySources,
): ProviderKey[] {
  const accounts = sources.authStorage?.accounts
  if (accounts === undefined) return []
  return accounts.list(provider).map((account) => {
    const usual = preset?.baseUrl === baseUrl && !isFromEnvironment
    const address = (usual ? account.baseUrl : undefined) ?? baseUrl
    const here = address === undefined ? undefined : new URL(address).origin
    return accountKey(account, here, accounts)
  })
}

function accountKey(account: StoredAccount, here: string | undefined, accounts: AccountSource): ProviderKey {
  const { id, provider, origin, kept: from, baseUrl = '', accountId = '' } = account
  const isUsed = origin === here
  const unusedBecause = `it is for ${origin}, and the provider is at ${here ?? 'no known address'}`
  let sent: string | undefined
  let refused: string | undefined
  let isFromMemory = false
  return {
    identity: `account ${provider} ${id} ${baseUrl} ${accountId}`,
    label: `the account of ${provider}`,
    origin: {
      ...{ from, kind: 'key', keyId: id, origin },
      account: describeAccount(account),
      ...(isUsed ? { used: true } : { used: false, unusedBecause }),
    } satisfies KeyOrigin,
    account,
    value$: defer(() => {
      isFromMemory = refused === undefined
      const access$ = refused === undefined ? accounts.access(account) : accounts.access(account, refused)
      refused = undefined
      return access$
    }).pipe(
      tap((token) => {
        sent = token
      }),
    ),
    isFromMemory: () => isFromMemory,
    forget: () => {
      refused = sent
    },
    problem: () => accounts.problem?.(account),
  }
}

/** The facts about an account that clients get. */
export function describeAccount({
  id,
  name,
  plan,
  expiresAt,
  isSignedOut,
}: StoredAccount): NonNullable<KeyOrigin['account']> {
  return {
    accountId: id,
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(isSignedOut === undefined ? {} : { isSignedOut }),
  }
}
