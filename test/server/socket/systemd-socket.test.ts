// Tests a socket that systemd passes to the server.
import { describe, expect, it } from 'vitest'
import { systemdSocket } from '../../../lib/server/socket/systemd-socket.ts'

describe('a passed socket', () => {
  it.each([
    ['is the first descriptor', { LISTEN_PID: '7', LISTEN_FDS: '1' }, 3],
    ['is undefined without the variables', {}, undefined],
    ['is undefined if it is for another process', { LISTEN_PID: '8', LISTEN_FDS: '1' }, undefined],
    ['is undefined if no process is named', { LISTEN_FDS: '1' }, undefined],
  ])('%s', (_, env, descriptor) => {
    expect(systemdSocket(env, 7)).toBe(descriptor)
  })

  it.each(['0', '2', 'x', ''])('is refused if LISTEN_FDS is "%s"', (count) => {
    expect(() => systemdSocket({ LISTEN_PID: '7', LISTEN_FDS: count }, 7)).toThrow(
      expect.objectContaining({ code: 'bad_config' }),
    )
  })
})
