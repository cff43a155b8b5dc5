// Remembers renewed tokens that the disk refused, so that a rotated refresh token is not lost.
// Guarantees: they end with the process, and give way to what another process stores.
import type { AccountFacts, AccountTokens, StoredAccount } from '../../streams/accounts/account-storage.ts'
import type { Failure } from '../../streams/values/failure.ts'

/** Result of a renewal. */
export interface RenewedTokens {
  readonly tokens: AccountTokens
  readonly facts: AccountFacts
  /** Scheme, host and port that the access token may be sent to. */
  readonly origin: string
}

export interface UnstoredTokens {
  readonly renewed: RenewedTokens
  /** Why they are not stored. */
  readonly reason: string
}

/** The tokens of each account that are in memory alone. */
export interface TokenMemory {
  /** Undefined if the stored ones are the newest. */
  of(account: StoredAccount): UnstoredTokens | undefined
  /** Why the latest tokens of the account are not stored; undefined if they are. */
  reasonFor(account: Pick<StoredAccount, 'id'>): string | undefined
  hold(account: StoredAccount, renewed: RenewedTokens, failure: Failure): void
  release(account: StoredAccount): void
  /** True once in so many milliseconds: the store is to be tried again. */
  takeTurn(account: StoredAccount): boolean
}

interface Held extends UnstoredTokens {
  /** `renewedAt` of the stored account when these replaced its tokens. */
  readonly replaces: number
  readonly nextTurn: number
}

/** Milliseconds until the store is tried again. */
const pauseMs = 30_000

/** One account a provider, so it holds few. */
export function createTokenMemory(): TokenMemory {
  const held = new Map<string, Held>()
  return {
    of: ({ id, renewedAt }) => {
      const found = held.get(id)
      if (found === undefined || found.replaces === renewedAt) return found
      held.delete(id) // another process stored newer ones
      return undefined
    },
    reasonFor: ({ id }) => held.get(id)?.reason,
    hold: ({ id, renewedAt }, renewed, { message }) => {
      held.set(id, { renewed, reason: message, replaces: renewedAt, nextTurn: performance.now() + pauseMs })
    },
    release: ({ id }) => {
      held.delete(id)
    },
    takeTurn: ({ id }) => {
      const found = held.get(id)
      if (found === undefined || performance.now() < found.nextTurn) return false
      held.set(id, { ...found, nextTurn: performance.now() + pauseMs })
      return true
    },
  }
}
