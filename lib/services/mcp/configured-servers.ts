// Decodes the MCP servers of a session: those of the user's settings and of a trusted project.
// Guarantees: a server that cannot be used is a notice and not an error; no message has a value of a secret.
import path from 'node:path'
import { decodeServer } from '../../mcp/config/decode-server.ts'
import type { McpServer } from '../../mcp/contract/mcp-server.ts'
import { projectServers } from '../../store/config/project-servers.ts'
import type { FolderTrust } from '../../store/index.ts'
import { projectServersPath } from '../../store/trust/gated-files.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Notice } from '../contract/server-backend.ts'

export interface ServerSources {
  readonly settings: Pick<Settings, 'mcpServers' | 'mcp'>
  readonly trust: Pick<FolderTrust, 'trusted' | 'folder' | 'contents'>
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
  readonly entries: Readonly<Record<string, McpEntry>>
  decode(name: string, entry: McpEntry): McpServer | undefined
}

export function configuredServers(sources: ServerSources): ConfiguredServers {
  const project = projectLayer(sources)
  const { mcpServers: own = {} } = sources.settings
  const hidden = Object.keys(project.entries).filter((name) => Object.hasOwn(own, name))
  const others = Object.entries(project.entries).filter(([name]) => !Object.hasOwn(own, name))
  const decoded = [
    ...decodeAll({ ...userLayer(sources), entries: own }),
    ...decodeAll({ ...project, entries: Object.fromEntries(others) }),
  ]
  return {
    servers: decoded.flatMap(({ server }) => server ?? []),
    notices: [
      ...project.notices,
      ...hidden.map((name) =>
        notice(`The MCP server ${name} of ${project.file} does not count: yours has the same name`),
      ),
      ...decoded.flatMap(({ problem }) => (problem === undefined ? [] : [notice(problem)])),
    ],
  }
}

function userLayer({ env, config }: ServerSources): Pick<Layer, 'decode'> {
  const context = { origin: 'user', folder: config, variables: { values: env } } as const
  return { decode: (name, entry) => decodeServer(name, entry, context) }
}

function projectLayer({ settings, trust, env }: ServerSources) {
  const { trusted, folder, contents } = trust
  const file = path.join(folder, projectServersPath)
  const read = projectServers(file, trusted ? contents?.get(projectServersPath) : undefined)
  const allowed = new Set(settings.mcp?.variables)
  const variables = { values: env, mayRead: (name: string) => allowed.has(name) }
  return {
    file,
    entries: read.servers,
    notices: read.warnings.map(({ code, message }) => ({ code, message })),
    decode: (name: string, entry: McpEntry) => decodeServer(name, entry, { origin: 'project', folder, variables }),
  }
}

function decodeAll({ entries, decode }: Layer): { readonly server?: McpServer; readonly problem?: string }[] {
  return Object.entries(entries).map(([name, entry]) => {
    try {
      const server = decode(name, entry)
      return server === undefined ? {} : { server }
    } catch (thrown) {
      return { problem: `The MCP server ${name} is left out: ${Failure.from(thrown).message}` }
    }
  })
}

function notice(message: string): Notice {
  return { code: 'mcp_config', message }
}
