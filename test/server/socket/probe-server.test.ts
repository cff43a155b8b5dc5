// Tests what the doctor reports about the socket.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkServerSocket } from '../../../lib/server/socket/probe-server.ts'
import { helloFrame } from '../../../lib/server/protocol/frame.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxpi-check-'))
  path = join(folder, 'rxpi.sock')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the socket check of doctor', () => {
  const hello = helloFrame({
    server: { name: 'rxpi', version: '7', pid: 12, epoch: 'abcdefgh' },
    limits: {},
    capabilities: [],
  })

  it.each([
    ['the process and version that serve', `${hello}\n`, 'process 12, version 7'],
    ['another program that listens', 'SSH-2.0\n', 'the process that listens sends no hello'],
    ['a silent process that listens', '', 'the process that listens sends no hello'],
  ])('reports %s [CLI-doctor]', async (_, output, message) => {
    const server = createServer((socket) => socket.end(output)).listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
    const found = await resultOf(checkServerSocket({ RXPI_SOCKET: path }))
    server.close()
    await once(server, 'close')
    expect(found).toEqual({ name: 'socket', ok: true, required: false, message: `${path}: ${message}` })
  })

  it('reports an unsafe or unusable socket [CLI-doctor]', async () => {
    mkdirSync(join(folder, 'open'))
    chmodSync(join(folder, 'open'), 0o777)
    expect(await resultOf(checkServerSocket({ RXPI_SOCKET: join(folder, 'open/a.sock') }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('has mode 777') as unknown,
    })
    expect(await resultOf(checkServerSocket({ RXPI_SOCKET: 'relative' }))).toMatchObject({ ok: false, required: false })
  })
})
