// Accepts WebSockets at the gateway and connects each to the server.
import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { WebSocketServer } from 'ws'
import { Failure } from '../../streams/values/failure.ts'
import { refuse } from '../http/answer-json.ts'
import type { AdmissionRules } from '../http/admit-head.ts'
import { gatewayProtocol } from '../protocol/gateway-protocols.ts'
import { lineLimit } from '../protocol/transport.ts'
import type { Transport } from '../protocol/transport.ts'
import { acceptedSocket } from './accepted-socket.ts'
import type { AcceptedSocketOptions } from './accepted-socket.ts'
import { admitUpgrade } from './gateway-routes.ts'

export interface WebSocketsOptions extends AcceptedSocketOptions {
  readonly rules: AdmissionRules
  /** Limit of connected clients; one more is refused with 503. */
  readonly maxClients: number
  connect(transport: Transport): void
}

export interface WebSockets {
  /** Takes over the socket of a request with `Upgrade`. @param head what came after the head of the request */
  accept(incoming: IncomingMessage, head: Buffer): void
}

export function webSockets({ rules, maxClients, connect, ...socketOptions }: WebSocketsOptions): WebSockets {
  // compression would cost each client what is now framed once for all
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: lineLimit,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(gatewayProtocol) ? gatewayProtocol : false),
  })
  return {
    accept: (incoming, head) => {
      const { method = '', url: target = '', headers, socket: stream } = incoming
      const admission = admitUpgrade({ method, target, headers }, rules)
      if (admission.ok === false) refuseUpgrade(incoming, admission.failure, admission.status)
      else if (sockets.clients.size >= maxClients) refuseUpgrade(incoming, tooManyClients(maxClients), 503)
      else
        sockets.handleUpgrade(incoming, stream, head, (socket) => {
          connect(acceptedSocket(socket, stream, socketOptions))
        })
    },
  }
}

function tooManyClients(most: number): Failure {
  return new Failure('overloaded', `The gateway has ${most} clients, its limit; try again later.`)
}

function refuseUpgrade(incoming: IncomingMessage, failure: Failure, status: number): void {
  const { socket: stream } = incoming
  stream.on('error', () => stream.destroy()) // it may be gone already
  const response = new ServerResponse(incoming)
  response.assignSocket(stream)
  response.on('finish', () => stream.end())
  refuse(response, failure, {}, status).subscribe()
}
