// Names the WebSocket subprotocols of the gateway. Needs no Node module.
// One of them carries the token, because pages cannot set headers.

/** The subprotocol that the gateway chooses. */
export const gatewayProtocol = 'rxpi.v1'

const tokenPrefix = 'rxpi.token.'

/** The subprotocols that a client offers. */
export function protocolsWithToken(token: string): string[] {
  return [gatewayProtocol, `${tokenPrefix}${token}`]
}

/** The token in a `Sec-WebSocket-Protocol` header; undefined if it has none. */
export function tokenInProtocols(header: string | undefined): string | undefined {
  const names = header?.split(',').map((name) => name.trim()) ?? []
  return names.find((name) => name.startsWith(tokenPrefix))?.slice(tokenPrefix.length)
}
