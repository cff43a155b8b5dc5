// Answers the commands about MCP servers: lists and changes entries, tests, logs and restarts.
// Guarantees: no answer has a value of the environment or of a header.
import { defer, forkJoin, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpClientPorts } from '../../mcp/contract/mcp-requests.ts'
import type { McpServer } from '../../mcp/contract/mcp-server.ts'
import type { McpAccounts } from '../../mcp/oauth/mcp-accounts.ts'
import { decodeServer } from '../../mcp/config/decode-server.ts'
import { sessionSecrets } from '../../session/create/session-secrets.ts'
import { editSetting, readSettingsFile, settingsFile } from '../../store/index.ts'
import type { ResultOf } from '../../streams/commands/command.ts'
import type { AccountStorage } from '../../streams/accounts/account-storage.ts'
import { checkWrittenMcpServers } from '../../streams/validation/file-validators.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { Fields, McpBackend } from '../contract/server-backend.ts'
import type { ReadConfiguration } from '../models/configured-model.ts'
import type { LoginStart } from '../accounts/login-list.ts'
import { checkFolder } from '../stored/check-path.ts'
import { serversCheck } from './servers-check.ts'
import { importServers } from './import-servers.ts'
import type { LazyHub } from './lazy-hub.ts'
import { findServer, listServers } from './list-servers.ts'
import type { ServerList } from './list-servers.ts'

export interface McpBackendOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  readonly configured: ReadConfiguration
  readonly mcp: LazyHub
  readonly accountStorage: Pick<AccountStorage, 'list'>
  /** Emits the accounts at servers once; loaded with the hub. */
  readonly accounts$: Observable<McpAccounts>
  /** Adds a sign-in to the list of the server. */
  beginLogin(login: LoginStart): Observable<ResultOf<'mcp_login'>>
}

export function createMcpBackend(options: McpBackendOptions): McpBackend {
  const { config, mcp } = options
  const list = (command: Fields<'mcp_list'>): ServerList => listOf(command, options)
  return {
    list: (command) =>
      defer(() => {
        const { servers, problems, ...files } = list(command)
        return of({ ...files, servers: servers.map(({ row }) => row), problems: [...problems] })
      }),
    show: ({ server, ...command }) =>
      defer(() => {
        const found = list(command)
        return of({ file: found.file, server: findServer(found, server).row })
      }),
    add: (command) => defer(() => add(command, options)),
    remove: ({ server, cwd }) =>
      defer(() => {
        checkFolder(cwd)
        if (!Object.hasOwn(ownServers(config), server)) throw notOwnFailure(server)
        return editSetting(config, `mcpServers.${server}`, undefined).pipe(map(() => ({ file: settingsFile(config) })))
      }),
    test: (command) => defer(() => test(command, options)),
    login: (command) => login(command, options),
    logout: (command) => logout(command, options),
    logs: ({ server }) => defer(() => of({ lines: [...(mcp.loaded()?.logs(server) ?? [])] })),
    restart: ({ server }) =>
      defer(() => {
        const hub = mcp.loaded()
        if (hub?.statuses().some((status) => status.server === server) !== true)
          throw new Failure(
            'bad_request',
            `No session of this server uses the MCP server ${server}; the next one starts it`,
          )
        hub.restart(server)
        return of({})
      }),
    importServers: (command) => defer(() => importServers(command, config)),
    check: (command) => defer(() => of(check(command, options))),
  }
}

function listOf({ cwd, env = {}, trust }: Fields<'mcp_list'>, options: McpBackendOptions): ServerList {
  checkFolder(cwd)
  const { home, config, configured, mcp, accountStorage } = options
  const { settings } = configured(env)
  const running = mcp.loaded()?.running() ?? []
  return listServers({ settings, cwd, env, trust, home, config, running, accountStorage })
}

/** A trust file that cannot be read is a check, too. */
function check({ cwd, env }: Fields<'doctor'>, options: McpBackendOptions): ReturnType<typeof serversCheck> {
  const command = env === undefined ? { cwd } : { cwd, env }
  try {
    return serversCheck(listOf(command, options), testPorts(command, options))
  } catch (thrown) {
    return [{ name: 'mcp', ok: false, required: false, message: Failure.from(thrown).message }]
  }
}

function ownServers(config: string): NonNullable<ReturnType<typeof readSettingsFile>['value']['mcpServers']> {
  return readSettingsFile(config).value.mcpServers ?? {}
}

function notOwnFailure(server: string): Failure {
  return new Failure(
    'bad_request',
    `Your settings have no MCP server ${server}; one of a project stands in its .mcp.json`,
  )
}

function add(
  { server, entry, replace = false, cwd, env = {} }: Fields<'mcp_add'>,
  options: McpBackendOptions,
): Observable<ResultOf<'mcp_add'>> {
  const { config } = options
  checkFolder(cwd)
  if (!replace && Object.hasOwn(ownServers(config), server))
    throw new Failure(
      'bad_request',
      `Your settings have an MCP server ${server} already; replace it, or choose another name`,
    )
  checkEntry(server, entry, options)
  return editSetting(config, `mcpServers.${server}`, entry).pipe(
    map(() => {
      const found = listOf({ cwd, env }, options)
      return { file: found.file, server: findServer(found, server).row }
    }),
  )
}

/** A variable that is not set here may be set in a session: the row names it. @throws Failure `bad_request` */
function checkEntry(server: string, entry: Readonly<Record<string, unknown>>, { config }: McpBackendOptions): void {
  const checked = checkWrittenMcpServers({ mcpServers: { [server]: entry } })
  if (!checked.ok) throw new Failure('bad_request', `The entry of ${server} is not valid: ${checked.problem}`)
  const [unknown] = checked.value.unknown
  if (unknown !== undefined)
    throw new Failure('bad_request', `The entry of ${server} has the unknown key ${unknown.key}`)
  const written = checked.value.value.mcpServers[server]
  if (written === undefined || JSON.stringify(entry).includes('$')) return
  try {
    decodeServer(server, written, { origin: 'user', folder: config, variables: { values: {} } })
  } catch (thrown) {
    throw new Failure('bad_request', Failure.from(thrown).message)
  }
}

function test(
  { server: name, ...command }: Fields<'mcp_test'>,
  options: McpBackendOptions,
): Observable<ResultOf<'mcp_test'>> {
  const server = usableServer({ server: name, ...command }, options)
  return options.mcp.hub$.pipe(
    mergeMap((hub) => hub.test(server, testPorts(command, options))),
    map(({ tools, notices, log, ...report }) => ({
      ...{ ...report, tools: [...tools], notices: [...notices] },
      ...(log === undefined ? {} : { log: [...log] }),
    })),
  )
}

function login(command: Fields<'mcp_login'>, options: McpBackendOptions): Observable<ResultOf<'mcp_login'>> {
  return defer(() => {
    const server = usableServer(command, options)
    const { settings } = options.configured(command.env ?? {})
    const where = settings.keyStorage ?? 'auto'
    return forkJoin([import('./server-login.ts'), options.accounts$]).pipe(
      mergeMap(([{ serverLogin }, accounts]) =>
        options.beginLogin(serverLogin(server, { accounts, where, onChanged: () => reconnect(server, options) })),
      ),
    )
  })
}

function logout(command: Fields<'mcp_logout'>, options: McpBackendOptions): Observable<ResultOf<'mcp_logout'>> {
  return defer(() => {
    const server = usableServer(command, options)
    return forkJoin([import('./server-login.ts'), options.accounts$]).pipe(
      mergeMap(([{ serverLogout }, accounts]) =>
        serverLogout(server, { accounts, onChanged: () => reconnect(server, options) }),
      ),
    )
  })
}

function reconnect({ name }: McpServer, { mcp }: McpBackendOptions): void {
  mcp.loaded()?.restart(name)
}

/** @throws Failure `bad_request` for a server that no session would use */
function usableServer({ server: name, ...command }: Fields<'mcp_test'>, options: McpBackendOptions): McpServer {
  const { row, server } = findServer(listOf(command, options), name)
  if (server !== undefined) return server
  throw new Failure('bad_request', `The MCP server ${name} is not used: ${row.problem ?? 'it is disabled'}`)
}

/** A test has no person and no model. */
function testPorts({ cwd, env = {} }: Fields<'mcp_list'>, { configured }: McpBackendOptions): McpClientPorts {
  const { env: own, secrets } = sessionSecrets({ env, ...configured(env) })
  return {
    cwd,
    env: own,
    sessionId: randomIds().session(),
    roots: [cwd],
    elicit: () => of({ action: 'decline' }),
    redact: (text) => secrets?.begin().text(text) ?? text,
    onNotice: () => undefined,
  }
}
