// A program that embeds a server talks to it as everybody does: through the protocol, over a pair of linked transports.
import { connect } from './client/client.ts'
import type { Client } from './client/client.ts'
import { createServer } from './create-server.ts'
import type { Server, ServerOptions } from './create-server.ts'
import { linkedPair } from './protocol/linked-pair.ts'

export interface EmbeddedServer {
  readonly server: Server
  /** Connected already. */
  readonly client: Client
}

/** A server in this process and a client linked to it. Ask the client for `shutdown` in the end. */
export function embedServer(options: ServerOptions): EmbeddedServer {
  const server = createServer(options)
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  return { server, client: connect(clientEnd) }
}
