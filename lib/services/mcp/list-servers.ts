// Lists the configured MCP servers with their states; starts none.
import path from 'node:path'
import { decodeServer } from '../../mcp/config/decode-server.ts'
import type { RunningServer } from '../../mcp/contract/mcp-hub.ts'
import type { McpServer, McpStatus } from '../../mcp/contract/mcp-server.ts'
import { accountName } from '../../mcp/oauth/server-grant.ts'
import { projectServers, summariseServer } from '../../store/config/project-servers.ts'
import { folderTrust, reportTrust, settingsFile } from '../../store/index.ts'
import type { TrustReport } from '../../store/index.ts'
import { projectServersPath } from '../../store/trust/gated-files.ts'
import type { AccountStorage } from '../../streams/accounts/account-storage.ts'
import type { McpRow } from '../../streams/commands/mcp-commands.ts'
import type { McpEntry } from '../../streams/config/mcp-servers.ts'
import type { Settings } from '../../streams/config/settings.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'
import { isPassed, listPassed } from './passed-servers.ts'
import { stateOf } from './server-state.ts'
import type { ListedServer } from './server-state.ts'

export interface ServerList {
  /** `settings.json`, absolute. */
  readonly file: string
  /** The `.mcp.json` of the project, if it has one. */
  readonly project?: string
  readonly servers: readonly ListedServer[]
  readonly problems: readonly string[]
}

export interface ListSources {
  readonly settings: Pick<Settings, 'mcpServers' | 'mcp'>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The client trusts the folder for this command. */
  readonly trust?: boolean | undefined
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  /** The connections of this server. */
  readonly running: readonly RunningServer[]
  readonly accountStorage: Pick<AccountStorage, 'list'>
}

/** @throws Failure `bad_config` for a damaged `trust.json` */
export function listServers(sources: ListSources): ServerList {
  const { settings, cwd, env, home, config, running, trust = false } = sources
  const statuses = running.filter(({ server }) => !isPassed(server)).map(({ status }) => status)
  const file = settingsFile(config)
  const { mcpServers: own = {} } = settings
  const report = reportTrust({ home, cwd })
  const isTrusted = report.trusted || (trust && folderTrust({ home, cwd, forThisRun: true }).trusted)
  const { project, entries, problems } = readProject(report)
  const accounts = readAccounts(sources.accountStorage)
  const signedIn = (rows: readonly ListedServer[]) => rows.map((row) => withAccount(row, accounts.names))
  const allowed = new Set(settings.mcp?.variables)
  const users = Object.entries(own).map(([name, entry]) =>
    listed({ name, entry, statuses }, 'user', () =>
      decodeServer(name, entry, { origin: 'user', folder: config, variables: { values: env } }),
    ),
  )
  const projects = Object.entries(entries).map(([name, entry]) =>
    listed({ name, entry, statuses, reason: reasonAgainst(name, own, isTrusted) }, 'project', () => {
      const variables = { values: env, mayRead: (each: string) => allowed.has(each) }
      return decodeServer(name, entry, { origin: 'project', folder: report.folder, variables })
    }),
  )
  return {
    file,
    ...(project === undefined ? {} : { project }),
    servers: signedIn([...users, ...projects, ...listPassed(running, cwd)]),
    problems: [...problems, ...accounts.problems],
  }
}

/** The names of the accounts that can be used; a store that cannot be read is a problem of the list. */
function readAccounts(storage: ListSources['accountStorage']) {
  try {
    const usable = storage.list().filter(({ isSignedOut }) => isSignedOut !== true)
    return { names: new Set(usable.map(({ provider }) => provider)), problems: [] }
  } catch (thrown) {
    return { names: new Set<string>(), problems: [Failure.from(thrown).message] }
  }
}

function withAccount(listedServer: ListedServer, names: ReadonlySet<string>): ListedServer {
  const { row, server } = listedServer
  const name = server === undefined ? undefined : accountName(server)
  return name === undefined || !names.has(name) ? listedServer : { ...listedServer, row: { ...row, isSignedIn: true } }
}

/** Why a server of the project does not count; undefined if it does. */
function reasonAgainst(name: string, own: object, isTrusted: boolean): string | undefined {
  if (Object.hasOwn(own, name)) return 'a server of your settings has the same name'
  return isTrusted ? undefined : 'the folder is not trusted: look at it, then /trust, or --trust'
}

/** Also of a folder that nobody trusts: a person sees what trust would let run. */
function readProject({ folder, contents }: TrustReport) {
  const content = contents?.get(projectServersPath)
  if (content === undefined) return { entries: {}, problems: [] }
  const project = path.join(folder, projectServersPath)
  const { servers: entries, warnings } = projectServers(project, content)
  return { project, entries, problems: warnings.map(({ message }) => message) }
}

interface Configured {
  readonly name: string
  readonly entry: McpEntry
  readonly statuses: readonly McpStatus[]
  /** Why it does not count, whatever it is. */
  readonly reason?: string | undefined
}

function listed(
  { name, entry, statuses, reason }: Configured,
  origin: McpRow['origin'],
  decode: () => McpServer | undefined,
): ListedServer {
  const row = { ...summariseServer(name, entry), origin }
  if (reason !== undefined) return { row: { ...row, problem: reason }, isPassedOver: true }
  try {
    const server = decode()
    return server === undefined ? { row } : { row: { ...row, ...stateOf(name, statuses) }, server }
  } catch (thrown) {
    return { row: { ...row, problem: Failure.from(thrown).message } }
  }
}

/** @throws Failure `bad_request` that lists the servers */
export function findServer({ servers }: ServerList, name: string): ListedServer {
  const found = servers.find(({ row }) => row.name === name && row.problem === undefined) ?? servers.find(({ row }) => row.name === name) // prettier-ignore
  if (found !== undefined) return found
  const names = servers.map(({ row }) => row.name)
  const near =
    didYouMean(name, names) || (names.length === 0 ? '; none is configured' : `; there are ${names.join(', ')}`)
  throw new Failure('bad_request', `There is no MCP server "${name}"${near}`)
}
