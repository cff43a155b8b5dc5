// Tests when a client starts a server again: at once after a crash, on demand after a stop.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER, ReplaySubject, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onDemandClient } from '../../../app/connect/on-demand-client.ts'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { serve } from '../../../lib/server/serve.ts'
import { connectSocket } from '../../../lib/server/socket/connect-socket.ts'
import { takeSocketLock } from '../../../lib/services/locks/socket-lock.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
let socket: string
let client: ReconnectingClient | undefined
const servers: Server[] = []
let starts = 0
let stops = 0

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-demand-'))
  socket = path.join(folder, 'rxpi.sock')
  starts = 0
  stops = 0
})
afterEach(async () => {
  client?.close()
  for (const server of servers.splice(0)) await valuesOf(server.close())
  rmSync(folder, { recursive: true, force: true })
})

/** Serves in this process; emits when it listens, and goes on. */
function serving(): Observable<unknown> {
  const server = createServer({ host: fakeBackend(), version: '1' })
  servers.push(server)
  return serve(server, { socket })
}

async function started(): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    serving().subscribe({ next: () => resolve(), error: reject })
  })
  return servers.at(-1) as Server
}

function create(start: () => Observable<Transport> = startHere): ReconnectingClient {
  client = onDemandClient({ socket, start, onStopped: () => (stops += 1), baseDelayMs: 10, maxDelayMs: 20 })
  return client
}

function startHere(): Observable<Transport> {
  starts += 1
  const listening$ = new ReplaySubject<unknown>(1)
  serving().subscribe(listening$)
  return listening$.pipe(
    take(1),
    mergeMap(() => connectSocket(socket)),
  )
}

const ping = { type: 'ping' } as const
const patient = { timeout: 15_000 }

describe('a server that was stopped', () => {
  it('stays stopped until a request needs it, which is then answered', async () => {
    const first = await started()
    const { request, connection$ } = create()
    await resultOf(request(ping))
    await valuesOf(first.close())
    await expect.poll(() => stops, patient).toBe(1)
    expect([starts, connection$.value.status]).toEqual([0, 'reconnecting'])
    expect(await resultOf(request(ping))).toEqual({})
    expect([starts, stops, connection$.value]).toMatchObject([1, 1, { status: 'connected', restarted: true }])
  })

  it('is reported each time', async () => {
    const { request } = create()
    for (const stopped of [1, 2]) {
      await expect.poll(() => stops, patient).toBe(stopped)
      await resultOf(request(ping))
      await valuesOf((servers.at(-1) as Server).close())
    }
    await expect.poll(() => stops, patient).toBe(3)
    expect(starts).toBe(2)
  })

  it('is used again when another process has started it', async () => {
    const { connection$ } = create()
    await expect.poll(() => stops, patient).toBe(1)
    await started()
    await expect.poll(() => connection$.value.status, patient).toBe('connected')
    expect(starts).toBe(0)
  })

  it('is not started while a process that holds its lock ends', async () => {
    const lock = takeSocketLock(socket)
    const { request, connection$ } = create(() => {
      starts += 1
      return NEVER
    })
    const waiting = request(ping).subscribe({ error: () => undefined })
    await expect.poll(() => attemptOf(connection$.value), patient).toBeGreaterThan(2)
    expect([starts, stops]).toEqual([0, 0])
    if ('release' in lock) lock.release()
    await expect.poll(() => starts, patient).toBe(1)
    expect(stops).toBe(1)
    waiting.unsubscribe()
  })
})

it('a server that was killed is started again at once', async () => {
  writeFileSync(`${socket}.lock`, 'left behind', { mode: 0o600 })
  const { connection$ } = create(() => {
    rmSync(`${socket}.lock`)
    return startHere()
  })
  await expect.poll(() => connection$.value.status, patient).toBe('connected')
  expect([starts, stops]).toEqual([1, 0])
})

function attemptOf(state: ReconnectingClient['connection$']['value']): number {
  return state.status === 'reconnecting' ? state.attempt : 0
}
