// Tests the folders that rxpi uses, and the variables that set them.
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { rxpiPaths } from '../../../lib/host/files/paths.ts'

describe('rxpiPaths', () => {
  it('falls back to the folders under HOME [LOG-path]', () => {
    expect(rxpiPaths({ HOME: '/home/ann' })).toEqual({
      home: '/home/ann/.local/state/rxpi',
      sessions: '/home/ann/.local/state/rxpi/sessions',
      blobs: '/home/ann/.local/state/rxpi/blobs',
      spill: '/home/ann/.local/state/rxpi/spill',
      config: '/home/ann/.config/rxpi',
    })
  })

  it.each([
    ['RXPI_HOME before the rest', { RXPI_HOME: '/r/', XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' }, '/r', '/c/rxpi'],
    ['the XDG folders', { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' }, '/s/rxpi', '/c/rxpi'],
    ['a relative XDG value not at all', { XDG_STATE_HOME: 's', XDG_CONFIG_HOME: './c' }, undefined, undefined],
    ['an empty value not at all', { RXPI_HOME: '', XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' }, undefined, undefined],
    ['a path without its dots', { RXPI_HOME: '/a/../b/./c' }, '/b/c', undefined],
  ])('uses %s', (_what, env, home = '/home/ann/.local/state/rxpi', config = '/home/ann/.config/rxpi') => {
    expect(rxpiPaths({ HOME: '/home/ann', ...env })).toMatchObject({ home, config })
  })

  it.each(['state', './state', '~/state'])('refuses the relative RXPI_HOME %s', (value) => {
    expect(() => rxpiPaths({ HOME: '/home/ann', RXPI_HOME: value })).toThrow(
      expect.objectContaining({ code: 'bad_config', message: expect.stringContaining(`"${value}"`) as string }),
    )
  })

  it.each([{}, { HOME: '' }, { HOME: 'ann' }])('takes the home folder of the account with %j', (env) => {
    expect(rxpiPaths(env).home).toBe(`${userInfo().homedir}/.local/state/rxpi`)
  })
})
