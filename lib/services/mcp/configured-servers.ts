// Decodes the MCP servers of a session: of its command, the user’s settings and a trusted project.
// Guarantees: a configured server that cannot be used is a notice; no message has a value of a secret.
import path from 'node:path'
import { checkServers } from '../../mcp/config/check-servers.ts'
import { decodeServer } from '../../mcp/config/decode-server.ts'
import type { McpOrigin, McpServer } from '../../mcp/contract/mcp-server.ts'
import { projectServers } from '../../store/config/project-servers.ts'
import type { FolderTrust } from '../../store/index.ts'
import { projectServersPath } from '../../store/trust/gated-files.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Notice } from '../contract/server-backend.ts'

/** Servers that a client or the program of the server passes with a session. */
export interface PassedServers {
  readonly origin: Extract<McpOrigin, 'client' | 'option'>
  /** By name, not checked yet. */
  readonly servers: Readonly<Record<string, unknown>>
}

export interface ServerSources {
  readonly passed: PassedServers
  readonly settings: Pick<Settings, 'mcpServers' | 'mcp'>
  readonly trust: Pick<FolderTrust, 'trusted' | 'folder' | 'contents'>
  /** The session's folder, absolute. */
  readonly cwd: string
  /** The client's environment, for variables in the entries. */
  readonly env: Readonly<Record<string, string>>
  /** The folder of `settings.json`. */
  readonly config: string
}

export interface ConfiguredServers {
  readonly servers: readonly McpServer[]
  readonly notices: readonly Notice[]
}

interface Layer {
  /** For notices. */
  readonly source: string
  readonly entries: Readonly<Record<string, McpEntry>>
  readonly notices?: readonly Notice[]
  /** Why a server of a later layer with the same name does not count. */
  readonly hides: string
  decode(name: string, entry: McpEntry): McpServer | undefined
}

/** An earlier layer wins. @throws Failure `bad_request` for passed servers that do not fit the schema */
export function configuredServers(sources: ServerSources): ConfiguredServers {
  const layers = [passedLayer(sources), userLayer(sources), projectLayer(sources)]
  const found = layers.map((layer, index) => decodeLayer(layer, layers.slice(0, index)))
  return {
    servers: found.flatMap(({ servers }) => servers),
    notices: found.flatMap(({ notices }) => notices),
  }
}

function passedLayer({ passed: { origin, servers }, cwd }: ServerSources): Layer {
  const who = origin === 'client' ? 'the client' : 'the program'
  return {
    source: who,
    entries: checkServers(servers),
    hides: `${who} brings one of the same name to this session`,
    decode: (name, entry) => decodeServer(name, entry, { origin, folder: cwd }),
  }
}

function userLayer({ settings, env, config }: ServerSources): Layer {
  const context = { origin: 'user', folder: config, variables: { values: env } } as const
  return {
    source: 'your settings',
    entries: settings.mcpServers ?? {},
    hides: 'yours has the same name',
    decode: (name, entry) => decodeServer(name, entry, context),
  }
}

function projectLayer({ settings, trust, env }: ServerSources): Layer {
  const { trusted, folder, contents } = trust
  const file = path.join(folder, projectServersPath)
  const read = projectServers(file, trusted ? contents?.get(projectServersPath) : undefined)
  const allowed = new Set(settings.mcp?.variables)
  const variables = { values: env, mayRead: (name: string) => allowed.has(name) }
  return {
    source: file,
    entries: read.servers,
    notices: read.warnings.map(({ code, message }) => ({ code, message })),
    hides: 'the project has one of the same name',
    decode: (name, entry) => decodeServer(name, entry, { origin: 'project', folder, variables }),
  }
}

function decodeLayer({ source, entries, notices = [], decode }: Layer, earlier: readonly Layer[]): ConfiguredServers {
  const hiding = (name: string): Layer | undefined => earlier.find((layer) => Object.hasOwn(layer.entries, name))
  const hidden = Object.keys(entries).flatMap((name) => {
    const layer = hiding(name)
    return layer === undefined ? [] : [`The MCP server ${name} of ${source} does not count: ${layer.hides}`]
  })
  const own = Object.entries(entries).filter(([name]) => hiding(name) === undefined)
  const decoded = own.map(([name, entry]): { server?: McpServer; problem?: string } => {
    try {
      const server = decode(name, entry)
      return server === undefined ? {} : { server }
    } catch (thrown) {
      return { problem: `The MCP server ${name} is left out: ${Failure.from(thrown).message}` }
    }
  })
  return {
    servers: decoded.flatMap(({ server }) => server ?? []),
    notices: [...notices, ...[...hidden, ...decoded.flatMap(({ problem }) => problem ?? [])].map(notice)],
  }
}

function notice(message: string): Notice {
  return { code: 'mcp_config', message }
}
