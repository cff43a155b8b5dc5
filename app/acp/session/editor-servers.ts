// Converts the MCP servers that an editor passes into entries of rxpi's settings.
import type { McpServer } from '@agentclientprotocol/sdk'
import { Failure } from '../../../lib/streams/values/failure.ts'

type Entries = Record<string, Record<string, unknown>>

const mostServers = 100
const longestName = 64

/** @throws Failure `bad_request` for too many servers */
export function editorServers(servers: readonly McpServer[]): { readonly mcpServers?: Entries } {
  if (servers.length > mostServers)
    throw new Failure('bad_request', `A session has at most ${mostServers} MCP servers, not ${servers.length}`)
  if (servers.length === 0) return {}
  const entries: Entries = {}
  for (const server of servers) entries[freeName(server.name, entries)] = entryOf(server)
  return { mcpServers: entries }
}

function entryOf(server: McpServer): Record<string, unknown> {
  if ('type' in server) {
    const { type, url, headers } = server
    return { type, url, headers: recordOf(headers) }
  }
  const { command, args, env } = server
  return { command, args, env: recordOf(env) }
}

function recordOf(pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}

/** Names of tools begin with it: letters, digits, dashes and underscores. */
function freeName(name: string, entries: Entries): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, longestName) || 'server'
  if (!Object.hasOwn(entries, plain)) return plain
  for (let number = 2; ; number += 1) {
    const numbered = `${plain.slice(0, longestName - 4)}_${number}`
    if (!Object.hasOwn(entries, numbered)) return numbered
  }
}
