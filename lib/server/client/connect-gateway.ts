// Connects to a gateway from a browser, or from Node, over a WebSocket. Needs no Node module.
import { protocolsWithToken } from '../protocol/gateway-protocols.ts'
import { webSocketTransport } from '../protocol/web-socket-transport.ts'
import type { WebSocketLike } from '../protocol/web-socket-transport.ts'
import { reconnectingClient } from './reconnecting-client.ts'
import type { ConnectOptions, ReconnectingClient } from './reconnecting-client.ts'

export interface ConnectGatewayOptions extends Omit<ConnectOptions, 'open'> {
  /** The address that `rxpi serve --http` prints, or that of a TLS proxy: `http:`, `https:`, `ws:` or `wss:`. */
  readonly url: string
  /** The gateway's token. A function is called for each connection. */
  readonly token: string | (() => string)
  /** Creates a WebSocket. @default that of the platform */
  readonly createSocket?: (url: string, protocols: string[]) => WebSocketLike
}

/**
 * A client of a gateway that connects again whenever the connection is lost: see `connect`. The token is sent as a
 * subprotocol and never in the address, which ends up in logs. An address that is no URL closes the client with
 * `bad_request`; a refused token is a failed attempt like any other, because a browser does not tell them apart.
 */
export function connectGateway({
  url,
  token,
  createSocket = (address, protocols) => new WebSocket(address, protocols),
  ...options
}: ConnectGatewayOptions): ReconnectingClient {
  const open$ = () =>
    webSocketTransport(() => {
      const sent = typeof token === 'string' ? token : token()
      return createSocket(socketAddress(url), protocolsWithToken(sent))
    })
  return reconnectingClient({ ...options, open: open$ })
}

/** The address of the WebSocket: `/ws` below that of the gateway. @throws TypeError for what is no URL */
function socketAddress(url: string): string {
  const address = new URL(url)
  address.protocol = address.protocol.replace(/^http/, 'ws')
  if (!address.pathname.endsWith('/ws')) address.pathname = `${address.pathname.replace(/\/$/, '')}/ws`
  return address.href
}
