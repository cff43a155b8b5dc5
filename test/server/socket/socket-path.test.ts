// Tests which path the server listens on.
import { describe, expect, it } from 'vitest'
import { resolve } from 'node:path'
import { socketPath } from '../../../lib/server/socket/socket-path.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const own = { platform: 'linux', uid: 1000 } as const
const runtime = { XDG_RUNTIME_DIR: '/run/user/1000' }

describe('socketPath', () => {
  it.each([
    ['is in the runtime folder', { env: runtime }, '/run/user/1000/rxpi/rxpi.sock'],
    ['is in a folder of the user in /tmp without a runtime folder', { env: {} }, '/tmp/rxpi-1000/rxpi.sock'],
    ['ignores an empty runtime folder', { env: { XDG_RUNTIME_DIR: '' } }, '/tmp/rxpi-1000/rxpi.sock'],
    ['ignores a relative runtime folder', { env: { XDG_RUNTIME_DIR: 'run' } }, '/tmp/rxpi-1000/rxpi.sock'],
    ['is RXPI_SOCKET rather than the runtime folder', { env: { ...runtime, RXPI_SOCKET: '/a/b.sock' } }, '/a/b.sock'],
    ['ignores an empty RXPI_SOCKET', { env: { ...runtime, RXPI_SOCKET: '' } }, '/run/user/1000/rxpi/rxpi.sock'],
    ['is --socket rather than both', { env: { ...runtime, RXPI_SOCKET: '/a/b.sock' }, requested: '/c/d' }, '/c/d'],
    ['may be a relative --socket', { env: {}, requested: 'd.sock' }, resolve('d.sock')],
  ])('%s [SOCKET-path]', (_, options, path) => {
    expect(socketPath({ ...own, ...options })).toBe(path)
  })

  const long = (bytes: number): string => `/é${'x'.repeat(bytes - 3)}`

  it.each([
    ['linux', 107],
    ['darwin', 103],
  ] as const)('%s takes %i bytes and refuses one more, with a shorter path [S8c]', (platform, limit) => {
    expect(Buffer.byteLength(long(limit))).toBe(limit)
    expect(socketPath({ env: {}, platform, uid: 7, requested: long(limit) })).toBe(long(limit))
    const refused = (): string => socketPath({ env: {}, platform, uid: 7, requested: long(limit + 1) })
    expect(refused).toThrow(Failure)
    expect(refused).toThrow(
      `--socket cannot be used: its path has ${limit + 1} bytes, and a socket's may have ${limit}`,
    )
    expect(refused).toThrow('--socket /tmp/rxpi-7/rxpi.sock')
  })

  it.each([
    ['bad_request', { env: {}, requested: '' }, '--socket must not be empty'],
    ['bad_request', { env: {}, requested: '/tmp/a\0b' }, 'NUL'],
    ['bad_config', { env: { RXPI_SOCKET: 'rxpi.sock' } }, 'RXPI_SOCKET is "rxpi.sock", which is not an absolute path'],
    ['bad_config', { env: { XDG_RUNTIME_DIR: `/${'x'.repeat(100)}` } }, '--socket /tmp/rxpi-1000/rxpi.sock'],
    ['bad_config', { env: { RXPI_SOCKET: `/${'x'.repeat(107)}` } }, 'RXPI_SOCKET cannot be used'],
  ])('refuses with %s: %o', (code, options, text) => {
    const refused = (): string => socketPath({ ...own, ...options })
    expect(refused).toThrow(text)
    expect(refused).toThrow(expect.objectContaining({ code }))
  })
})
