import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { machineKeychain } from '../../../lib/host/files/keychain.ts'
import { resultOf } from '../../support/result-of.ts'

const variable = 'DBUS_SESSION_BUS_ADDRESS'
let before: string | undefined
beforeEach(() => {
  before = process.env[variable]
  process.env[variable] = 'unix:path=/nowhere/bus' // nobody's own keychain is asked by a test
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
  ])('says so when it is to %s, and takes nothing weaker in its place', async (_, act) => {
    const refused = act()
    await expect(refused).rejects.toMatchObject({ code: 'storage' })
    await expect(refused).rejects.toThrow('The keychain of this machine could not be used')
    await expect(refused).rejects.not.toThrow('planted')
  })
})
