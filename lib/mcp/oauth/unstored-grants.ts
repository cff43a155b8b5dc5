// Remembers renewed tokens that the disk refuses, so that a rotated refresh token is not lost.
// Guarantees: they end with the process, and give way to what another process stores.
import { catchError, of, tap } from 'rxjs'
import type { AccountChange, AccountStorage, StoredAccount } from '../../streams/accounts/account-storage.ts'

type Renewed = Extract<AccountChange, { readonly tokens: unknown }>

interface Unstored {
  readonly renewed: Renewed
  /** `renewedAt` of the stored account whose tokens these replace. */
  readonly replaces: number
}

/** The same store, but a change of tokens does not fail: the next renewal tries to store again. One entry for each account. */
export function rememberUnstored(accounts: AccountStorage): AccountStorage {
  const unstored = new Map<string, Unstored>()
  const find = ({ id, renewedAt }: StoredAccount): Renewed | undefined => {
    const entry = unstored.get(id)
    if (entry === undefined || entry.replaces === renewedAt) return entry?.renewed
    unstored.delete(id)
    return undefined
  }
  return {
    list: (provider) => accounts.list(provider).map((account) => ({ ...account, ...find(account)?.facts })),
    tokens: (account) => {
      const renewed = find(account)
      return renewed === undefined ? accounts.tokens(account) : of(renewed.tokens)
    },
    store: (account) => accounts.store(account),
    remove: (provider) => accounts.remove(provider),
    locked: (account, work) => accounts.locked(account, work),
    change: (account, change) =>
      accounts.change(account, change).pipe(
        tap(() => unstored.delete(account.id)),
        catchError((error: unknown) => {
          if (!('tokens' in change)) throw error
          unstored.set(account.id, { renewed: change, replaces: account.renewedAt })
          return of({ ...account, ...change.facts })
        }),
      ),
  }
}
