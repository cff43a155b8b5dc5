// A real server on a Unix socket, as a process of its own: `node socket-server-process.ts <socket> <home>`; says its pid when it takes connections.
import { createServer as listenOn } from 'node:net'
import type { Socket } from 'node:net'
import { createServer } from '../../lib/server/create-server.ts'
import { lineFramer } from '../../lib/server/line-framer.ts'
import type { Transport } from '../../lib/server/transport.ts'
import { createSessionHost } from '../../lib/session/index.ts'
import { fromReadable } from '../../lib/streams/from-readable.ts'

const [path = '', home = ''] = process.argv.slice(2)
const env = { PATH: process.env['PATH'] ?? '', HOME: home, RXPI_HOME: `${home}/rxpi` }
const server = createServer({ host: createSessionHost({ env, version: '1' }), version: '1' })

function transportOf(socket: Socket): Transport {
  return {
    lines$: fromReadable(socket).pipe(lineFramer()),
    send: (line) => void socket.write(`${line}\n`),
    close: () => socket.destroy(),
  }
}

listenOn((socket) => {
  socket.on('error', () => undefined) // told to the connection's stream too
  server.connect(transportOf(socket))
}).listen(path, () => {
  process.stdout.write(`${process.pid}\n`)
})
