// Shell text for servers and clients in a sandbox, with no program that may be missing.
import { copyFileSync, existsSync, linkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { shellQuote } from '../../../../lib/host/process/shell-quote.ts'

/** Waits for the port, prints `listening`, and answers each connection with `hello` until it is ended. */
export function serverScript(port: number, workspace: string): string {
  const program = `
    const server = require('node:net').createServer((socket) => socket.end('hello'))
    const listen = () => server.listen(${port}, '127.0.0.1')
    server.on('listening', () => console.log('listening')).on('error', () => setTimeout(listen, 5))
    listen()`
  return `exec ${shellQuote(nodeInside(workspace))} -e ${shellQuote(program)}`
}

/** Prints what the port answers; exits with 1 if nothing listens there. */
export function fetchScript(port: number): string {
  return `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`
}

/** This Node as a sandbox with the workspace sees it: folders for temporary files are its own, a clone there is hidden. */
function nodeInside(workspace: string): string {
  const node = realpathSync(process.execPath)
  if (!['/tmp/', '/run/', '/var/tmp/'].some((replaced) => node.startsWith(replaced))) return node
  const inside = path.join(workspace, 'node')
  if (existsSync(inside)) return inside
  try {
    linkSync(node, inside)
  } catch {
    copyFileSync(node, inside) // on another disk, or not of this user
  }
  return inside
}
