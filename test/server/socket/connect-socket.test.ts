// Tests how a client connects to the socket: unsafe sockets, no server, and its own server.
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dialSocket } from '../../../lib/server/socket/connect-socket.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
let path: string
let server: Server
let connections: number
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'rxpi-dial-'))
  path = join(top, 'private/rxpi.sock')
  mkdirSync(join(top, 'private'), { mode: 0o700 })
  connections = 0
  server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(path)
  await once(server, 'listening')
  chmodSync(path, 0o600)
})
afterEach(async () => {
  server.close()
  await once(server, 'close')
  rmSync(top, { recursive: true, force: true })
})

describe('a client', () => {
  it.each([
    ['a folder that other users can read', () => chmodSync(join(top, 'private'), 0o755)],
    ['a socket that other users can write to', () => chmodSync(path, 0o666)],
  ])('does not connect to a server in %s', async (_, spoil) => {
    spoil()
    await expect(resultOf(dialSocket(path))).rejects.toMatchObject({ code: 'unsafe_socket' })
    expect(connections).toBe(0)
  })

  it.each(['none/rxpi.sock', 'private/none.sock'])(
    'fails and names the command that starts a server: %s',
    async (name) => {
      await expect(resultOf(dialSocket(join(top, name)))).rejects.toMatchObject({
        code: 'no_server',
        message: expect.stringContaining('rxpi serve') as unknown,
      })
    },
  )

  it('connects to its own', async () => {
    const accepted = once(server, 'connection')
    const socket = await resultOf(dialSocket(path))
    await accepted
    socket.destroy()
    expect(connections).toBe(1)
  })
})
