// Connects the SDK to a server at a URL: streamable HTTP, or SSE as older servers have it.
import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { AuthProvider, OAuthClientProvider, Transport } from '@modelcontextprotocol/client'
import type { McpRemote } from '../contract/mcp-server.ts'
import { remoteFetch } from './remote-fetch.ts'
import type { RemoteFetchOptions } from './remote-fetch.ts'

/** Signs in to one server. */
export type McpAuth = AuthProvider | OAuthClientProvider

export interface RemoteOptions extends RemoteFetchOptions {
  readonly server: McpRemote
  /** Absent: a demand for a sign-in is an error. */
  readonly auth?: McpAuth | undefined
}

/** How the stream of a server's own messages is opened again; without it a change of its lists would be missed. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
}

/** A transport for one connection, of the server's kind. */
export function remoteTransport({ server, auth, ...options }: RemoteOptions): Transport {
  const url = new URL(server.url)
  const common = {
    fetch: remoteFetch(options),
    requestInit: { headers: server.headers },
    ...(auth === undefined ? {} : { authProvider: auth }),
  }
  if (server.kind === 'http') return new StreamableHTTPClientTransport(url, { ...common, reconnectionOptions })
  // oxlint-disable-next-line typescript/no-deprecated -- servers that have nothing else exist
  return new SSEClientTransport(url, common)
}
