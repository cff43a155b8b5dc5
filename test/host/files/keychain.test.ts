// Tests the keychain on a machine that has none.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineKeychain } from '../../../lib/host/files/keychain.ts'
import { resultOf } from '../../support/result-of.ts'

const variable = 'DBUS_SESSION_BUS_ADDRESS'
let before: string | undefined
beforeEach(() => {
  before = process.env[variable]
  process.env[variable] = 'unix:path=/nowhere/bus' // no test asks a real keychain
})
afterEach(() => {
  if (before === undefined) Reflect.deleteProperty(process.env, variable)
  else process.env[variable] = before
})

describe.runIf(process.platform === 'linux')('a machine without a keychain', () => {
  const { get, set, remove } = machineKeychain()

  it.each([
    ['set', () => resultOf(set('test/abcdefg2', 'sk-planted'))],
    ['get', () => resultOf(get('test/abcdefg2'))],
    ['remove', () => resultOf(remove('test/abcdefg2'))],
  ])('fails to %s with an explanation, and uses no weaker storage instead', async (_, act) => {
    const refused = act()
    await expect(refused).rejects.toMatchObject({ code: 'storage' })
    await expect(refused).rejects.toThrow('The keychain of this machine could not be used')
    await expect(refused).rejects.not.toThrow('planted')
  })
})
