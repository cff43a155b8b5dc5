// Runs a real server on a Unix socket: `node socket-server-process.ts <socket> <home>`.
// Prints its pid when it accepts connections.
import { flushCompileCache } from 'node:module'
import { createServer as listenOn } from 'node:net'
import { createServer } from '../../lib/server/create-server.ts'
import { streamTransport } from '../../lib/server/protocol/stream-transport.ts'
import { createServerBackend } from '../../lib/services/index.ts'

const [path = '', home = ''] = process.argv.slice(2)
const env = { PATH: process.env['PATH'] ?? '', HOME: home, RXPI_HOME: `${home}/rxpi` }
const server = createServer({ host: createServerBackend({ env, version: '1' }), version: '1' })

listenOn({ allowHalfOpen: true }, (socket) => {
  server.connect(streamTransport(socket))
}).listen(path, () => {
  process.stdout.write(`${process.pid}\n`)
  flushCompileCache() // a test kills it, so that it writes nothing at its end
})
