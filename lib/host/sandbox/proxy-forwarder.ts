// Forwards a port inside the sandbox to the socket of the filtering proxy on the host.
import { map, filter } from 'rxjs'
import type { Observable } from 'rxjs'
import { shellQuote } from '../process/shell-quote.ts'
import { spawnProcess } from '../process/spawn-process.ts'
import type { SharedNetwork } from './network/shared-network.ts'

/**
 * The port on 127.0.0.1 inside; if a command of a shared network has taken it, the forwarder listens on another one.
 */
export const forwarderPort = 3128

/** The proxy's socket as a sandbox with a network of its own sees it. */
export const proxyMount = '/run/rxpi-proxy.sock'

/** This Node as the sandbox sees it; its own folder may be hidden there. */
export const nodeMount = '/run/rxpi-node'

/**
 * Shell text that starts the forwarder with this Node and waits until it listens or has failed. Node costs about 40 ms
 * a command; it is the one program that is surely here, and curl and npm know no proxy on a Unix socket.
 */
export function forwarderScript(): string {
  const run = `env -u NODE_OPTIONS ${nodeMount} -e ${shellQuote(forwarderProgram)} ${proxyMount} /run/rxpi-ready`
  return [
    'mkfifo /run/rxpi-ready && {',
    `  (${run} || echo failed >/run/rxpi-ready) </dev/null >/dev/null 2>&1 &`,
    '  read -r _ </run/rxpi-ready',
    '}',
  ].join('\n')
}

export interface ForwarderOptions {
  readonly network: SharedNetwork
  /** Absolute path of bubblewrap, which ends the forwarder with this process. */
  readonly bubblewrap: string
  /** The proxy's socket. */
  readonly socket: string
}

/** Emits the port when the forwarder listens in the network, and completes when it has ended. Unsubscribing ends it. */
export function openForwarder({ network, bubblewrap, socket }: ForwarderOptions): Observable<number> {
  const [program, ...enter] = network.enter
  const sandbox = ['--unshare-user', '--unshare-pid', '--die-with-parent', '--cap-drop', 'ALL', '--dev-bind', '/', '/']
  const args = [...enter, bubblewrap, ...sandbox, '--', process.execPath, '-e', forwarderProgram, socket]
  return spawnProcess({ program, args, cwd: '/', env: {}, isSupervisor: true }).pipe(
    map((event) => (event.type === 'output' && event.stream === 'stdout' ? Number(event.text) : 0)),
    filter((port) => port > 0),
  )
}

/** Arguments: the proxy's socket, and the file that gets the port; standard output without one. */
const forwarderProgram = [
  `const net = require('node:net'), fs = require('node:fs'), [, socket, file = 1] = process.argv`,
  `const server = net.createServer({ allowHalfOpen: true }, (client) => {`,
  `  const host = net.connect({ path: socket, allowHalfOpen: true })`,
  `  client.pipe(host).pipe(client)`,
  `  client.on('error', () => host.destroy())`,
  `  host.on('error', () => client.destroy())`,
  `})`,
  `const listen = (port) => server.listen(port, '127.0.0.1')`,
  `server.on('listening', () => fs.writeFileSync(file, server.address().port + '\\n'))`,
  `server.on('error', (error) => { if (error.code !== 'EADDRINUSE') throw error; listen(0) })`,
  `listen(${forwarderPort})`,
].join('\n')
