// Forwards a port inside the sandbox to the socket of the filtering proxy on the host.

import { shellQuote } from '../process/shell-quote.ts'
/** The port on 127.0.0.1 inside; each sandbox has its own loopback, so it is always free at the start. */
export const forwarderPort = 3128

/** The proxy's socket as the sandbox sees it. */
export const proxyMount = '/run/rxpi-proxy.sock'

/** This Node as the sandbox sees it; its own folder may be hidden there. */
export const nodeMount = '/run/rxpi-node'

/**
 * Shell text that starts the forwarder with this Node and waits until it listens or has failed. Node costs about 40 ms a
 * command; it is the one program that is surely here, and curl and npm know no proxy on a Unix socket.
 */
export function forwarderScript(): string {
  const run = `env -u NODE_OPTIONS ${nodeMount} -e ${shellQuote(forwarderProgram)}`
  return [
    'mkfifo /run/rxpi-ready && {',
    `  (${run} || echo failed >/run/rxpi-ready) </dev/null >/dev/null 2>&1 &`,
    '  read -r _ </run/rxpi-ready',
    '}',
  ].join('\n')
}

const forwarderProgram = [
  `const net = require('node:net'), fs = require('node:fs')`,
  `const server = net.createServer({ allowHalfOpen: true }, (client) => {`,
  `  const host = net.connect({ path: ${JSON.stringify(proxyMount)}, allowHalfOpen: true })`,
  `  client.pipe(host).pipe(client)`,
  `  client.on('error', () => host.destroy())`,
  `  host.on('error', () => client.destroy())`,
  `})`,
  `const ready = () => fs.writeFileSync('/run/rxpi-ready', 'ready\\n')`,
  `server.on('error', ready)`,
  `server.listen(${forwarderPort}, '127.0.0.1', ready)`,
].join('\n')
