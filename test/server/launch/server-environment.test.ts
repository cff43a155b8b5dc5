// Tests the environment of a background server: it does not depend on the client's other variables.
import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { serverEnvironment } from '../../../lib/server/launch/server-environment.ts'

const { username, homedir } = userInfo()
const fixed = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LANG: 'C.UTF-8',
  HOME: homedir,
  USER: username,
  LOGNAME: username,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '8388608',
  RXPI_STARTED_BY: 'client',
}

describe('the environment of a background server [S7a, S7d]', () => {
  it('does not depend on the client’s other variables', () => {
    const env = { OPENAI_API_KEY: 'k', PATH: '/evil', LD_PRELOAD: '/evil.so', NODE_OPTIONS: '-r /evil', LANG: 'de_DE' }
    expect(serverEnvironment(env)).toEqual(fixed)
  })

  it('has the client’s folders, absolute paths only', () => {
    const env = { HOME: '/h', RXPI_HOME: '/r', XDG_RUNTIME_DIR: '/x', XDG_CONFIG_HOME: 'relative', XDG_STATE_HOME: '' }
    expect(serverEnvironment(env)).toEqual({ ...fixed, HOME: '/h', RXPI_HOME: '/r', XDG_RUNTIME_DIR: '/x' })
  })
  it('leaves out the settings that RXPI_WITHOUT names, and passes on nothing but names', () => {
    const { MALLOC_ARENA_MAX: _, ...rest } = fixed
    expect(serverEnvironment({ RXPI_WITHOUT: 'malloc-arenas' })).toEqual({ ...rest, RXPI_WITHOUT: 'malloc-arenas' })
    expect(serverEnvironment({ RXPI_WITHOUT: '$(evil)' })).toEqual(fixed)
  })
})
