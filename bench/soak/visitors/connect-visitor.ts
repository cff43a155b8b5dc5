// Connects a visitor: over the Unix socket, or over the WebSocket of the gateway.
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { connect, connectGateway } from '../../../lib/client.ts'
import type { ReconnectingClient } from '../../../lib/client.ts'
import type { SoakServer } from '../soak-server.ts'

export interface VisitorConnection {
  readonly client: ReconnectingClient
  /** Breaks the connection without a word. */
  cut(): void
  /** Stops reading, and reads again. */
  pause(): void
  resume(): void
}

export interface VisitorOptions {
  readonly name: string
  readonly server: SoakServer
  /** The address of the gateway; undefined: the socket. */
  readonly gateway?: string | undefined
}

export function connectVisitor({ name, server, gateway }: VisitorOptions): VisitorConnection {
  const options = { hello: { client: name }, baseDelayMs: 20, maxDelayMs: 500 }
  return gateway === undefined ? overSocket(server, options) : overGateway(server, gateway, options)
}

type ClientOptions = Omit<Parameters<typeof connect>[0], 'open'>

function overSocket(server: SoakServer, options: ClientOptions): VisitorConnection {
  let socket: Socket | undefined
  return {
    client: connect({ ...options, open: () => server.open((opened) => (socket = opened)) }),
    cut: () => socket?.destroy(),
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
  }
}

function overGateway({ token }: SoakServer, url: string, options: ClientOptions): VisitorConnection {
  let socket: WebSocket | undefined
  const createSocket = (address: string, protocols: string[]): WebSocket => (socket = new WebSocket(address, protocols))
  return {
    client: connectGateway({ ...options, url, token, createSocket }),
    cut: () => socket?.terminate(),
    pause: () => {
      if (socket?.readyState === WebSocket.OPEN) socket.pause()
    },
    resume: () => socket?.resume(),
  }
}
