// Shell text for servers and clients in a sandbox, with no program that may be missing.
import { shellQuote } from '../../../../lib/host/process/shell-quote.ts'

/** Waits for the port, prints `listening`, and answers each connection with `hello` until it is ended. */
export function serverScript(port: number): string {
  const program = `
    const server = require('node:net').createServer((socket) => socket.end('hello'))
    const listen = () => server.listen(${port}, '127.0.0.1')
    server.on('listening', () => console.log('listening')).on('error', () => setTimeout(listen, 5))
    listen()`
  return `exec ${shellQuote(process.execPath)} -e ${shellQuote(program)}`
}

/** Prints what the port answers; exits with 1 if nothing listens there. */
export function fetchScript(port: number): string {
  return `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`
}
