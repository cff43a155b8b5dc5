// Derives the keys by which connections are shared and lists are remembered.
import { hash } from 'node:crypto'
import { canonicalJson } from '../../streams/values/json.ts'
import type { McpClientPorts } from '../contract/mcp-requests.ts'
import type { McpServer } from '../contract/mcp-server.ts'

type Ports = Pick<McpClientPorts, 'cwd' | 'env' | 'sessionId'>

/** Sessions with the same key share a connection: the same entry, folder and environment. */
export function connectionKey(server: McpServer, { cwd, env, sessionId }: Ports): string {
  return digest({ server, cwd, env, ...(server.perSession ? { sessionId } : {}) })
}

/** The key of remembered lists. It has names of variables and headers, never a value: it is the name of a file. */
export function memoryKey({ name, transport, tools }: McpServer, { cwd }: Pick<Ports, 'cwd'>): string {
  const open =
    transport.kind === 'stdio'
      ? { ...transport, env: Object.keys(transport.env).sort() }
      : { ...transport, headers: Object.keys(transport.headers).sort() }
  return digest({ name, transport: open, tools, cwd })
}

function digest(value: object): string {
  return hash('sha256', canonicalJson(value), 'hex')
}
