// Tests renewed tokens that the disk refused: they count until the account is stored, by this process or another.
import { of, throwError } from 'rxjs'
import { expect, it } from 'vitest'
import { rememberUnstored } from '../../../lib/mcp/oauth/unstored-grants.ts'
import type { AccountStorage, StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'

const full = new Failure('storage', 'the disk is full')
const renewed = { tokens: { access: 'new' }, facts: { expiresAt: 9 } }

function scene() {
  const disk = { isFull: true, renewedAt: 1 }
  const account = (): StoredAccount => ({
    id: 'abcdefg2',
    provider: 'mcp',
    origin: 'https://mcp.example.com',
    kept: 'file',
    renewedAt: disk.renewedAt,
  })
  const stored: Partial<AccountStorage> = {
    list: () => [account()],
    tokens: () => of({ access: 'stored' }),
    change: (changed) => (disk.isFull ? throwError(() => full) : of(changed)),
  }
  const accounts = rememberUnstored(stored as AccountStorage)
  const access = async () => (await resultOf(accounts.tokens(account()))).access
  return { disk, account, accounts, access }
}

it('count as stored, with their end', async () => {
  const { account, accounts, access } = scene()
  expect(await resultOf(accounts.change(account(), renewed))).toMatchObject({ id: 'abcdefg2', expiresAt: 9 })
  expect(accounts.list()).toMatchObject([{ id: 'abcdefg2', expiresAt: 9 }])
  expect(await access()).toBe('new')
})

it('give way for good to what another process stores', async () => {
  const { disk, account, accounts, access } = scene()
  await resultOf(accounts.change(account(), renewed))
  disk.renewedAt = 2
  expect(accounts.list()[0]).not.toHaveProperty('expiresAt')
  expect(await access()).toBe('stored')
  disk.renewedAt = 1
  expect(await access()).toBe('stored')
})

it('end when the next change is stored', async () => {
  const { disk, account, accounts, access } = scene()
  await resultOf(accounts.change(account(), renewed))
  disk.isFull = false
  await resultOf(accounts.change(account(), renewed))
  expect(await access()).toBe('stored')
})

it('a sign-out that the disk refuses fails', async () => {
  const { account, accounts } = scene()
  await expect(resultOf(accounts.change(account(), { isSignedOut: true }))).rejects.toBe(full)
})
