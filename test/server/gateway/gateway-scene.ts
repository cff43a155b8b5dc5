// Starts a gateway for tests: a server with scripted sessions, on a free port, closed at the end of the test.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom } from 'rxjs'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { ExtensionDefinition } from '../../../lib/extensions/index.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { openGateway } from '../../../lib/server/gateway/open-gateway.ts'
import type { OpenGatewayOptions } from '../../../lib/server/gateway/open-gateway.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'

export const token = 'a-token-for-tests-only'
export const bearer = { authorization: `Bearer ${token}` }

export interface GatewayScene {
  readonly server: Server
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  readonly port: number
  readonly wsUrl: string
}

export const hello$: Provider = scripted(() => ({ text: 'Hello.', pieceLength: 2 }))

/** A server whose sessions have a scripted model, with a gateway. */
export async function startGateway(
  more: Partial<OpenGatewayOptions> = {},
  provider: Provider = hello$,
  extensions: readonly ExtensionDefinition[] = [],
): Promise<GatewayScene> {
  const model = { model: scriptedModel, provider }
  const server = createServer({
    sessions: { create: ({ cwd }) => createSession({ cwd, env: {}, model, approve: 'auto', extensions }) },
  })
  const scene = await startGatewayOf(server, more)
  onTestFinished(() => {
    server.close().subscribe()
  })
  return scene
}

export async function startGatewayOf(server: Server, more: Partial<OpenGatewayOptions> = {}): Promise<GatewayScene> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-gateway-'))
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const env = { RXPI_HTTP_TOKEN: token, RXPI_HOME: folder }
  const listening = openGateway(server, { port: 0, env, ...more }).subscribe({
    next: ({ url }) => resolve(url),
    error: reject,
  })
  onTestFinished(() => {
    listening.unsubscribe()
    rmSync(folder, { recursive: true })
  })
  const url = await promise
  const port = Number(new URL(url).port)
  return { server, url, port, wsUrl: `ws://127.0.0.1:${port}/ws` }
}

/** A WebSocket of the package `ws`, which can do what the platform's cannot; ended with the test. */
export function openSocket(url: string, headers: Record<string, string> = bearer, protocols: string[] = []): WebSocket {
  const socket = new WebSocket(url, protocols, { headers })
  socket.on('error', () => undefined)
  const received: string[] = []
  inboxes.set(socket, received)
  socket.on('message', (data: Buffer) => received.push(data.toString()))
  onTestFinished(() => socket.terminate())
  return socket
}

/** The status with which the gateway refuses a WebSocket; 101 if it accepts it. */
export async function upgradeStatus(
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<number> {
  const socket = openSocket(url, headers, protocols)
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.on('error', reject)
  })
}

const inboxes = new WeakMap<WebSocket, string[]>()

/** The next message that was not taken, as text. */
export async function nextMessage(socket: WebSocket): Promise<string> {
  const received = inboxes.get(socket) ?? []
  while (received.length === 0) await once(socket, 'message')
  return received.shift() ?? ''
}

/** The close code. */
export async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number]
  return code
}

/** A TCP connection to the gateway, ended with the test. */
export async function tcp(port: number): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** All that comes until the other end closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  if (!socket.closed) await once(socket, 'close')
  return text
}

/** Its clients, now. */
export function clientsOf(server: Server): Promise<number> {
  return firstValueFrom(server.clients$, { defaultValue: 0 })
}
