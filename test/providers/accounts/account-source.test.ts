// Tests when tokens of accounts are renewed, by whom, and what a refusal leads to.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccountSource, vendorRenewal } from '../../../lib/providers/accounts/account-source.ts'
import type { RenewAccount } from '../../../lib/providers/accounts/account-source.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import type { AccountStorage, AccountToStore, StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { startVendorServer } from '../../support/vendor-server.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-account-'))
})
afterEach(() => {
  rmSync(home, { recursive: true })
})

const minute = 60_000
const storage = () => fileAccountStorage({ home })

function store(leftMs: number, own: Partial<AccountToStore> = {}): Promise<StoredAccount> {
  return resultOf(
    storage().store({
      ...{ provider: 'xai', origin: 'https://api.x.ai', where: 'file', expiresAt: Date.now() + leftMs },
      tokens: { access: 'access-0', refresh: 'refresh-0' },
      ...own,
    }),
  )
}

/** Renews `access-N` to `access-N+1`, and takes each refresh token once, as a vendor with rotation does. */
function rotating(): { readonly renew: RenewAccount; readonly used: string[] } {
  const used: string[] = []
  const renew = async (account: StoredAccount, { refresh = '' }: { refresh?: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (used.includes(refresh)) throw new Failure('provider_error', 'reused', { data: { kind: 'auth' } })
    used.push(refresh)
    const next = used.length
    const facts = { expiresAt: Date.now() + 60 * minute }
    return { tokens: { access: `access-${next}`, refresh: `refresh-${next}` }, facts, origin: account.origin }
  }
  return { renew, used }
}

const source = (renew: RenewAccount) => createAccountSource({ storage: storage(), renew })
const refusal = new Failure('provider_error', 'xAI refused to renew the token (invalid_grant).', {
  data: { kind: 'auth' },
})
const outage = new Failure('provider_error', 'The vendor could not be reached', { data: { kind: 'network' } })

describe('the token of an account', () => {
  it('is used as it is more than five minutes before its end', async () => {
    const account = await store(6 * minute)
    const { renew, used } = rotating()
    expect(await resultOf(source(renew).access(account))).toBe('access-0')
    expect(used).toEqual([])
  })

  it('is renewed five minutes before its end, and the rotated refresh token is stored first', async () => {
    const account = await store(4 * minute)
    const { renew, used } = rotating()
    const accounts = source(renew)
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect(used).toEqual(['refresh-0'])
    expect(await resultOf(storage().tokens(account))).toEqual({ access: 'access-1', refresh: 'refresh-1' })
  })

  it('is renewed once by two servers and four requests at once', async () => {
    const account = await store(minute)
    const { renew, used } = rotating()
    const [one, other] = [source(renew), source(renew)]
    const requests = [one, other, one, other].map((accounts) => resultOf(accounts.access(account)))
    expect(await Promise.all(requests)).toEqual(Array(4).fill('access-1'))
    expect(used).toEqual(['refresh-0'])
  })

  it('is renewed again and again in a long run, each time with the latest refresh token', async () => {
    const account = await store(minute)
    const { renew, used } = rotating()
    const accounts = source(renew)
    await resultOf(accounts.access(account))
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 57 * minute)
    expect(await resultOf(accounts.access(account))).toBe('access-2')
    now.mockRestore()
    expect(used).toEqual(['refresh-0', 'refresh-1'])
  })

  it('is stored although the requester left during the renewal', async () => {
    const account = await store(minute)
    const { renew } = rotating()
    const accounts = source(renew)
    accounts.access(account).subscribe().unsubscribe()
    await vi.waitFor(
      async () => {
        expect((await resultOf(storage().tokens(account))).refresh).toBe('refresh-1')
      },
      { timeout: 10_000 },
    )
  })

  it('that was refused before its time is renewed once; another process may have done it', async () => {
    const account = await store(60 * minute)
    const { renew, used } = rotating()
    expect(await resultOf(source(renew).access(account, 'access-0'))).toBe('access-1')
    expect(await resultOf(source(renew).access(account, 'access-0'))).toBe('access-1')
    expect(used).toEqual(['refresh-0'])
  })

  it('serves while it lasts if the vendor cannot be reached, without a renewal for each request', async () => {
    const account = await store(4 * minute)
    const renew = vi.fn(() => Promise.reject(outage))
    const accounts = source(renew)
    expect(await resultOf(accounts.access(account))).toBe('access-0')
    expect(await resultOf(accounts.access(account))).toBe('access-0')
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('that has ended leads to the failure of the network, and the account stays', async () => {
    const account = await store(-minute)
    const failed = resultOf(source(() => Promise.reject(outage)).access(account))
    await expect(failed).rejects.toMatchObject({ data: { kind: 'network' } })
    expect(storage().list('xai')).toMatchObject([{ id: account.id }])
    expect(storage().list('xai')[0]?.isSignedOut).toBeUndefined()
  })

  it('that the vendor revoked is one clear failure, and the vendor is not asked again', async () => {
    const account = await store(minute, { name: 'ada@example.com' })
    const renew = vi.fn(() => Promise.reject(refusal))
    const access = () => resultOf(source(renew).access(account))
    await expect(access()).rejects.toMatchObject({
      message:
        'The account of xai (ada@example.com) is signed out: xAI refused to renew the token (invalid_grant). Sign in again with /login, or rxpi auth login xai.',
      data: { kind: 'auth', accountSignedOut: true },
    })
    await expect(access()).rejects.toThrow('Sign in again')
    expect(renew).toHaveBeenCalledTimes(1)
    expect(storage().list('xai')).toMatchObject([{ isSignedOut: true }])
  })

  it('of an account that was signed out meanwhile is a failure', async () => {
    const account = await store(60 * minute)
    await resultOf(storage().remove('xai'))
    const failed = resultOf(source(rotating().renew).access(account))
    await expect(failed).rejects.toThrow('The account of xai was signed out; sign in again')
  })
})

describe('a renewed token that the disk refuses', () => {
  /** A store that refuses changes while it is full. */
  function fullDisk() {
    const disk = { isFull: true }
    const whole = storage()
    const change$: AccountStorage['change'] = (account, changed) =>
      disk.isFull ? throwError(() => new Failure('storage', 'the disk is full')) : whole.change(account, changed)
    return { disk, full: { ...whole, change: change$ } }
  }

  it('serves from memory with a warning, and renews by the latest refresh token', async () => {
    const account = await store(minute)
    const { renew, used } = rotating()
    const { full } = fullDisk()
    const accounts = createAccountSource({ storage: full, renew })
    expect(accounts.problem?.(account)).toBeUndefined()
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect(accounts.problem?.(account)).toMatchObject({ code: 'account_not_stored' })
    expect(accounts.problem?.(account)?.message).toContain('could not be stored (the disk is full)')
    expect(await resultOf(accounts.access(account, 'access-1'))).toBe('access-2')
    expect(used).toEqual(['refresh-0', 'refresh-1'])
    expect((await resultOf(full.tokens(account))).refresh).toBe('refresh-0')
  })

  it('is stored when the disk takes it again, after a pause', async () => {
    const account = await store(minute)
    const { disk, full } = fullDisk()
    const accounts = createAccountSource({ storage: full, renew: rotating().renew })
    await resultOf(accounts.access(account))
    disk.isFull = false
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect((await resultOf(full.tokens(account))).refresh).toBe('refresh-0')
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 31_000)
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    now.mockRestore()
    expect(await resultOf(full.tokens(account))).toEqual({ access: 'access-1', refresh: 'refresh-1' })
    expect(accounts.problem?.(account)).toBeUndefined()
  })

  it('gives way to what another process stores', async () => {
    const account = await store(minute)
    const accounts = createAccountSource({ storage: fullDisk().full, renew: rotating().renew })
    await resultOf(accounts.access(account))
    const tokens = { access: 'access-9', refresh: 'refresh-9' }
    await resultOf(storage().change(account, { tokens, facts: { expiresAt: Date.now() + 60 * minute } }))
    expect(await resultOf(accounts.access(account))).toBe('access-9')
    expect(accounts.problem?.(account)).toBeUndefined()
  })

  it('does not hide that the vendor revoked the account', async () => {
    const account = await store(minute)
    const accounts = createAccountSource({ storage: fullDisk().full, renew: () => Promise.reject(refusal) })
    await expect(resultOf(accounts.access(account))).rejects.toMatchObject({ data: { accountSignedOut: true } })
  })
})

describe('the renewal with a vendor', () => {
  it('uses its table; a second use of a refresh token signs out', async () => {
    const known = new Set(['refresh-0'])
    await using server = await startVendorServer({
      'POST auth.x.ai/oauth2/token': ({ fields }) => {
        if (!known.delete(String(fields['refresh_token']))) return { status: 400, json: { error: 'invalid_grant' } }
        return {
          json: { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3600, token_type: 'Bearer' },
        }
      },
    })
    const account = await store(minute)
    const accounts = createAccountSource({ storage: storage(), renew: vendorRenewal(server.fetch) })
    expect(await resultOf(accounts.access(account))).toBe('access-1')
    expect(server.calls[0]?.fields).toEqual({
      client_id: 'b1a00492-073a-47ea-816f-4c329264a828',
      grant_type: 'refresh_token',
      refresh_token: 'refresh-0',
    })
    const again = resultOf(accounts.access(account, 'access-1'))
    await expect(again).rejects.toThrow(
      'is signed out: xAI (SuperGrok, X Premium) refused to renew the token (invalid_grant, status 400).',
    )
    expect(readFileSync(path.join(home, 'accounts.json'), 'utf8')).toContain('"isSignedOut": true')
  })
})
