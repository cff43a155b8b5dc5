// Our agent over the WebSocket of the gateway, as lines: one message is one line.
import { once } from 'node:events'
import { PassThrough, Writable } from 'node:stream'
import { WebSocket } from 'ws'
import { lineAgent } from './line-agent.ts'
import type { Dialect, LineAgent } from './line-agent.ts'

/** Resolves to an agent that has the connection, and no session. */
export async function webSocketAgent(url: string, token: string, dialect: Dialect): Promise<LineAgent> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  const output = new PassThrough()
  socket.on('message', (data: Buffer) => output.write(`${data.toString()}\n`))
  await once(socket, 'open')
  const input = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => socket.send(line.trimEnd(), done),
  })
  return lineAgent({ input, output }, dialect)
}
