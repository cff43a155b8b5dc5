// Tests that an SDK client is created once for each key and recreated after a failure.
import { expect, it } from 'vitest'
import { clientPerKey } from '../../../lib/providers/adapter/sdk-response.ts'

it('makes one client for as long as the key stays the same', async () => {
  const keys: (string | undefined)[] = []
  const clientFor = clientPerKey((key) => Promise.resolve(keys.push(key)))
  for (const key of ['a', 'a', 'b', 'b', undefined, undefined, 'a']) await clientFor(key)
  expect(keys).toEqual(['a', 'b', undefined, 'a'])
})

it('makes it again after it could not be made', async () => {
  let attempts = 0
  const clientFor = clientPerKey(() => (++attempts === 1 ? Promise.reject(new Error('no')) : Promise.resolve(attempts)))
  await expect(clientFor('a')).rejects.toThrow('no')
  await expect(clientFor('a')).resolves.toBe(2)
})
