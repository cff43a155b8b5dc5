// Tests that each start of a server has a new epoch.
import { expect, it } from 'vitest'
import { serverEpoch } from '../../lib/server/create-server.ts'

it('serverEpoch returns ten letters and digits, new at each call', () => {
  const drawn = Array.from({ length: 1_000 }, serverEpoch)
  expect(drawn.filter((epoch) => !/^[0-9a-z]{10}$/.test(epoch))).toEqual([])
  expect(new Set(drawn).size).toBe(drawn.length)
})
