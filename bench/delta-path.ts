// Prints the files that one delta passes, from a provider's bytes to a client on a socket.
// V8 counts the calls between two moments: `npx node bench/delta-path.ts`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { Session as Inspector } from 'node:inspector/promises'
import { createServer as createSocketServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, connectSocket, createServer, streamTransport } from '../lib/server/index.ts'
import { createServerBackend } from '../lib/services/index.ts'

const home = mkdtempSync(path.join(os.tmpdir(), 'rxpi-path-'))

/** Sends one delta of the OpenAI completions API. */
function sendDelta(response: ServerResponse, content: string): void {
  const chunk = { id: 'a', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content } }] }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

const requested = Promise.withResolvers<ServerResponse>()
const model = createHttpServer((_, response) => {
  requested.resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }))
})
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
const { port } = model.address() as AddressInfo // it listens on TCP

const env = {
  ...{ HOME: home, RXPI_HOME: path.join(home, 'state'), PATH: process.env['PATH'] ?? '' },
  ...{ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'key' },
}
const server = createServer({ host: createServerBackend({ env, version: '0' }), version: '0' })
const socket = path.join(home, 'socket')
const listener = createSocketServer((end) => {
  server.connect(streamTransport(end))
})
await new Promise<void>((resolve) => listener.listen(socket, resolve))
chmodSync(socket, 0o600) // the client refuses a socket that others can use

const client = connect({ open: () => connectSocket(socket), hello: { client: 'path' } })
const session = await new Promise<string>((resolve, reject) => {
  client.request({ type: 'new_session', cwd: home, env, model: 'openai/m', store: true }).subscribe({
    next: (opened) => {
      resolve(opened.session)
    },
    error: reject,
  })
})
let text = ''
client.events$(session, { after: 0 }).subscribe((received) => {
  if (received.type !== 'event' || received.event.type !== 'message_update') return
  if (received.event.delta.type === 'text_delta') text += received.event.delta.text
})
client.request({ type: 'prompt', session, text: 'Hello' }).subscribe()
const response = await requested.promise
for (let index = 0; index < 20; index++) {
  sendDelta(response, 'word ')
  await wait(20)
}

const inspector = new Inspector()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
sendDelta(response, 'before ')
await wait(100)
await inspector.post('Profiler.takePreciseCoverage')
sendDelta(response, 'counted')
await wait(100)
const { result } = await inspector.post('Profiler.takePreciseCoverage')

const passed = result
  .filter(({ url }) => url.includes('/lib/') && !url.includes('/node_modules/'))
  .map(({ url, functions }) => ({
    file: url.slice(url.lastIndexOf('/lib/') + 1),
    called: functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || 'λ'),
  }))
  .filter(({ called }) => called.length > 0)
for (const { file, called } of passed) console.log(`${file}: ${called.join(', ')}`)
console.log(`${passed.length} files`)
if (!text.endsWith('counted')) throw new Error(`The delta did not arrive: ${text}`)

inspector.disconnect()
client.close()
listener.close()
model.closeAllConnections()
model.close()
rmSync(home, { recursive: true, force: true })
process.exit()
