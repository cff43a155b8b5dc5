// Wires a server's backend on this machine from the factories of its parts, one a group of commands.
import { EMPTY, concat, defer, forkJoin, from, ignoreElements, map, shareReplay } from 'rxjs'
import type { Observable } from 'rxjs'
import { coalescedBody } from '../../host/http/coalesced-body.ts'
import { httpFetch, toFetch } from '../../host/http/http-fetch.ts'
import { nodeTransport } from '../../host/http/http-transport.ts'
import { processesSettled } from '../../host/process/running-processes.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { withFileLock } from '../../store/locks/with-file-lock.ts'
import { fileAccountStorage, fileAuthStorage, fileSnapshots, fileStore, memoryStore } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import { processKeyMemory } from '../../providers/index.ts'
import { builtInTools } from '../../tools/index.ts'
import { createAccountSource, vendorRenewal } from '../../providers/accounts/account-source.ts'
import type { AccountsBackendOptions, EndingAccountsBackend } from '../accounts/accounts-backend.ts'
import { createAuthBackend } from '../auth/auth-backend.ts'
import { createConfigBackend } from '../config/config-backend.ts'
import type { SessionOptionsOf } from '../contract/program-sessions.ts'
import type { ServerBackend } from '../contract/server-backend.ts'
import { createModelsBackend } from '../models/models-backend.ts'
import { userConfigurations } from '../models/configured-model.ts'
import { createImportBackend } from '../pi/pi-import.ts'
import { lazyHub } from '../mcp/lazy-hub.ts'
import type { McpHub } from '../../mcp/contract/mcp-hub.ts'
import type { McpAccounts } from '../../mcp/oauth/mcp-accounts.ts'
import { extensionTrust } from '../../extensions/trust/extension-trust.ts'
import type { ExplainOptions } from '../policy/explain-call.ts'
import { createPolicyBackend } from '../policy/policy-backend.ts'
import { replayStore } from '../replay/replay-store.ts'
import type { AccountStorage } from '../../streams/accounts/account-storage.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { ClosedSurroundings } from '../stored/change-closed.ts'
import { createStoredBackend } from '../stored/stored-backend.ts'
import { namedLocks } from '../../streams/rx/named-locks.ts'
import { chooseTools } from '../../session/tools/active-tools.ts'
import { hasSandbox, insideFolders } from './open-sandbox.ts'
import { toolOptions } from './own-tools.ts'
import { lazyAccountsBackend, lazyExtensionsBackend, lazyFileFinder, lazyMcpBackend } from './lazy-backends.ts'
import { createSessionsBackend } from './sessions-backend.ts'
import path from 'node:path'

export interface ServerBackendOptions {
  /** The server's own environment: it locates the server's files and never reaches a session. */
  readonly env: Readonly<Record<string, string>>
  /**
   * The environment with which a person started the server: keys, addresses and proxies for providers alone. It stays in
   * memory (docs/design/security.md#S7). Default: none, and proxies are those of the process.
   */
  readonly startEnv?: Readonly<Record<string, string>> | undefined
  /** rxpi's version. */
  readonly version: string
  /** The socket of the server; the locks of its sessions name it. Default: none. */
  readonly socket?: string
  /** Reads fast responses of models in batches; see `coalescedBody`. Default: false. */
  readonly coalesceReads?: boolean
  /** Files and folders of extensions that each session has beside its own, absolute. Default: none. */
  readonly extensions?: readonly string[] | undefined
  /** Options of the server's program for a session, such as tools, a model and transforms. Default: none. */
  readonly session?: SessionOptionsOf | undefined
  /** Emits the hub of MCP servers once; subscribed to when a session has servers. Default: one that starts them here. */
  readonly mcpHub$?: Observable<McpHub> | undefined
}

/** Sessions in `$RXPI_HOME`, this user's settings, the built-in tools and providers. */
export function createServerBackend({
  env,
  startEnv,
  version,
  socket,
  coalesceReads = false,
  extensions: paths = [],
  session,
  mcpHub$,
}: ServerBackendOptions): ServerBackend {
  const folders = rxpiPaths(env)
  const { home, config } = folders
  const files = fileStore({ home, ...(socket === undefined ? {} : { socket }) })
  const [memory, finder] = [replayStore(memoryStore()), lazyFileFinder(env)]
  const fetch = serverFetch(coalesceReads, startEnv)
  const accountStorage = fileAccountStorage({ home })
  const accounts = createAccountSource({ storage: accountStorage, renew: vendorRenewal(fetch) })
  const authStorage = { ...fileAuthStorage({ home }), accounts }
  const configured = userConfigurations(folders, authStorage, fetch, startEnv)
  const stored = createStoredBackend({
    memory,
    files,
    surroundings: () => closedSurroundings(home, env, configured({})),
    activeTools: () => defaultTools(home, configured({})),
    protectedPaths: [home, config, ...(socket === undefined ? [] : [socket, `${socket}.lock`])],
  })
  const auth = createAuthBackend({ authStorage, configured })
  const logins = lazyAccountsBackend({ storage: accountStorage, fetch, ...accountParts(configured, authStorage) })
  const trust = extensionTrust({ home, locked: withFileLock })
  const { mcp, commands } = mcpParts({ home, config, configured, mcpHub$, accountStorage, fetch, logins })
  return {
    sessions: createSessionsBackend({
      ...{ home, config, memory, files, finder, configured, session },
      extensions: { trust, rxpiVersion: version, paths },
      mcp$: mcp.hub$,
      locks: namedLocks(),
    }),
    stored,
    config: createConfigBackend({ folder: config, home, env, startEnv, version, authStorage }),
    auth,
    accounts: logins,
    models: createModelsBackend(configured, home),
    policy: createPolicyBackend({ home, config, configured, ...policyParts(home) }),
    extensions: lazyExtensionsBackend({ locked: withFileLock, home, config, trust }),
    mcp: commands,
    imports: createImportBackend({ home, config, auth, importSession: stored.importSession }),
    close: () => concat(endAll(logins, mcp), finder.close(), processesSettled().pipe(ignoreElements())),
  }
}

function policyParts(home: string): Pick<ExplainOptions, 'tools' | 'isSandboxed' | 'insideFolders'> {
  return {
    tools: ({ settings }) => builtInTools(toolOptions(home, settings)),
    isSandboxed: hasSandbox,
    insideFolders,
  }
}

/** Sources of keys for a sign-in, and the store of its tokens. */
function accountParts(
  configured: ReturnType<typeof userConfigurations>,
  authStorage: AuthStorage,
): Pick<AccountsBackendOptions, 'surroundings'> {
  return {
    surroundings: ({ cwd, env = {} }) => {
      const { models, settings, startEnv } = configured(env)
      const sources = { cwd, env, startEnv, models, authStorage, memory: processKeyMemory }
      return { sources, where: settings.keyStorage ?? 'auto' }
    },
  }
}

function endAll(...parts: readonly { close(): void }[]): Observable<never> {
  return defer(() => {
    for (const part of parts) part.close()
    return EMPTY
  })
}

interface McpSources extends Pick<ServerBackendOptions, 'mcpHub$'> {
  readonly home: string
  readonly config: string
  readonly configured: ReturnType<typeof userConfigurations>
  readonly accountStorage: AccountStorage
  readonly fetch: typeof globalThis.fetch
  readonly logins: EndingAccountsBackend
}

/** The hub of MCP servers, and what answers the commands about them. */
function mcpParts({ mcpHub$, accountStorage, fetch, logins, ...sources }: McpSources) {
  const accounts$ = openServerAccounts$(accountStorage, fetch)
  const mcp = lazyHub(mcpHub$ ?? openHub$(sources.home, accounts$))
  return { mcp, commands: lazyMcpBackend({ ...sources, mcp, accountStorage, accounts$, beginLogin: logins.begin }) }
}

/** Servers, their lists and their spilled results are below the state folder; the code is loaded when a session needs it. */
function openHub$(home: string, accounts$: Observable<McpAccounts>): Observable<McpHub> {
  return defer(() => forkJoin([import('../../mcp/hub/create-hub.ts'), import('../../mcp/hub/file-memory.ts')])).pipe(
    map(([{ createMcpHub }, { fileMemory }]) =>
      createMcpHub({
        memory: fileMemory({ folder: path.join(home, 'mcp') }),
        spillFolder: path.join(home, 'spill'),
        accounts$,
      }),
    ),
  )
}

/** The accounts at MCP servers: one object for the hub and for sign-ins. */
function openServerAccounts$(accounts: AccountStorage, fetch: typeof globalThis.fetch): Observable<McpAccounts> {
  return defer(() => from(import('../../mcp/oauth/mcp-accounts.ts'))).pipe(
    map(({ mcpAccounts }) => mcpAccounts({ accounts, fetch })),
    shareReplay({ bufferSize: 1, refCount: false }),
  )
}

function serverFetch(coalesceReads: boolean, proxyEnv: ServerBackendOptions['startEnv']): typeof globalThis.fetch {
  if (!coalesceReads && proxyEnv === undefined) return httpFetch
  return toFetch(
    nodeTransport({
      ...(coalesceReads ? { readBody: coalescedBody } : {}),
      ...(proxyEnv === undefined ? {} : { proxyEnv }),
    }),
  )
}

/** The parts that restore files of a session that is not open: git as the server finds it. */
function closedSurroundings(
  home: string,
  env: ServerBackendOptions['env'],
  { settings }: Configuration,
): ClosedSurroundings {
  const registry = builtInTools(toolOptions(home, settings))
  if (settings.snapshots === false) return { registry }
  return { registry, snapshots: fileSnapshots({ home, env }) }
}

/** The names of a new session's active tools. */
function defaultTools(home: string, { settings }: Configuration): readonly string[] {
  const registry = builtInTools(toolOptions(home, settings))
  const { tools } = chooseTools({ registry, requested: undefined, logged: undefined, configured: settings.tools })
  return tools.map(({ name }) => name)
}
