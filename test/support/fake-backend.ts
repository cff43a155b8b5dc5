// A backend of a server for tests: it has the sessions that a test adds, and records its calls.
// Over 250 lines: one answer for each command of the protocol.
import { EMPTY, map, of, take, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { ToolProgress, ToolResult } from '../../lib/streams/ports/tool.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import type {
  AccountsBackend,
  AuthBackend,
  ConfigBackend,
  ExtensionsBackend,
  ImportBackend,
  McpBackend,
  ModelsBackend,
  Notice,
  OpenedSession,
  PolicyBackend,
  ServerBackend,
  SessionsBackend,
  StoredBackend,
} from '../../lib/services/contract/server-backend.ts'
import { fakeSession } from './fake-session.ts'
import type { FakeSession, FakeSessionOptions } from './fake-session.ts'

export interface FakeBackend extends ServerBackend {
  /** Sessions by id that can be opened. */
  readonly sessionsById: Map<string, FakeSession>
  /** Calls of `sessions.create` and `sessions.open`, in order. */
  readonly requests: readonly object[]
}

/** The backend's methods by the name of their wire command, in camel case. */
export type FakeCommands = Partial<
  StoredBackend & {
    newSession: SessionsBackend['create']
    openSession: SessionsBackend['open']
    replaySession: SessionsBackend['replay']
    runTool: SessionsBackend['runTool']
    findFiles: SessionsBackend['findFiles']
    configList: ConfigBackend['list']
    configGet: ConfigBackend['get']
    configSet: ConfigBackend['set']
    doctor: ConfigBackend['doctor']
    trustFolder: ConfigBackend['trustFolder']
    importPi: ImportBackend['pi']
    listExtensions: ExtensionsBackend['list']
    trustExtension: ExtensionsBackend['trust']
    killExtension: ExtensionsBackend['kill']
    auditExtensions: ExtensionsBackend['audit']
    installPackage: ExtensionsBackend['installPackage']
    listPackages: ExtensionsBackend['listPackages']
    removePackage: ExtensionsBackend['removePackage']
    updatePackages: ExtensionsBackend['updatePackages']
    authSet: AuthBackend['set']
    authList: AuthBackend['list']
    authRemove: AuthBackend['remove']
    authVerify: AuthBackend['verify']
    login: AccountsBackend['login']
    waitForLogin: AccountsBackend['wait']
    giveLoginInput: AccountsBackend['input']
    cancelLogin: AccountsBackend['cancel']
    listAccounts: AccountsBackend['accounts']
    logout: AccountsBackend['logout']
    listServers: McpBackend['list']
    showServer: McpBackend['show']
    addServer: McpBackend['add']
    removeServer: McpBackend['remove']
    testServer: McpBackend['test']
    loginServer: McpBackend['login']
    logoutServer: McpBackend['logout']
    serverLogs: McpBackend['logs']
    restartServer: McpBackend['restart']
    importServers: McpBackend['importServers']
    listModels: ModelsBackend['list']
    updateModels: ModelsBackend['update']
    explainPolicy: PolicyBackend['explain']
    importRules: PolicyBackend['importRules']
  }
>

export interface FakeBackendOptions {
  /** For sessions that `sessions.create` makes. */
  readonly session?: FakeSessionOptions
  readonly notices?: readonly Notice[]
  /** Opening waits for this; default: no wait. */
  readonly ready$?: Observable<unknown>
  readonly runTool?: SessionsBackend['runTool']
  readonly checks?: ResultOf<'doctor'>['checks']
  /** The result of each verification; default: clean. */
  readonly verdict?: Omit<ResultOf<'verify_session'>, 'file'>
  /** The result of a repair; default: nothing to repair. */
  readonly repair?: Pick<ResultOf<'repair_session'>, 'repaired' | 'lost' | 'changed'>
  readonly models?: readonly ResultOf<'list_models'>['models'][number][]
  readonly endpoints?: readonly ResultOf<'list_models'>['endpoints'][number][]
  readonly roles?: ResultOf<'list_models'>['roles']
  /** The other commands; default: there are no sessions. */
  readonly commands?: FakeCommands
}

const source = { name: 'a-catalogue', version: '1.0.0', date: '2026-01-02', licence: 'MIT' }
const clean = { clean: true, lines: 1, head: 0, damaged: 0, damages: [] }
const fine = [{ name: 'node', ok: true, required: true, message: 'Node 24' }]

const login = {
  ...{ loginId: 'abcdefg2', provider: 'xai', title: 'xAI', revision: 0 },
  ...{ method: 'device' as const, step: 'starting' as const },
}

export function fakeBackend({
  session,
  notices = [],
  ready$ = of(undefined),
  runTool,
  checks = fine,
  verdict = clean,
  repair = { lost: [], changed: [] },
  models = [],
  roles,
  endpoints = [],
  commands = {},
}: FakeBackendOptions = {}): FakeBackend {
  const sessionsById = new Map<string, FakeSession>()
  const requests: object[] = []
  function opened(made: FakeSession): Observable<OpenedSession> {
    return ready$.pipe(
      take(1),
      map(() => ({ session: made, notices })),
    )
  }
  const sessions: SessionsBackend = {
    create: (command, options = {}) => {
      requests.push({ new: command, ...options })
      const id = `${'b'.repeat(11)}${'abcdefghijklmnopqrstuvwxyz'[sessionsById.size] ?? 'z'}`
      const made = fakeSession({ id, cwd: command.cwd, ...session, ...options })
      sessionsById.set(made.id, made)
      return opened(made)
    },
    findCreated: (_command, opId) => {
      const made = [...sessionsById.values()].find(({ header }) => header.opId === opId)
      return made === undefined ? EMPTY : of(made.id)
    },
    open: (command) => {
      requests.push({ open: command })
      const found = sessionsById.get(command.session)
      if (found === undefined) return unknownSession(command.session)
      return opened(found)
    },
    replay: ({ session = '' }) => unknownSession(session),
    latest: (cwd) => {
      const latest = [...sessionsById.values()].findLast((each) => each.header.cwd === cwd)
      return latest === undefined ? EMPTY : of(latest.id)
    },
    runTool: runTool ?? (() => of<ToolProgress | ToolResult>(textResult('done'))),
    findFiles: () => of({ files: [], more: false, complete: true }),
  }
  const stored: StoredBackend = {
    verifySession: ({ session, file = `${session ?? ''}.jsonl` }) => of({ file, ...verdict }),
    repairSession: ({ session, file = `${session ?? ''}.jsonl` }) => of({ file, ...verdict, ...repair }),
    getDiff: ({ session }) => unknownSession(session),
    listSessions: () => of({ sessions: [], total: 0, more: false, problems: [] }),
    switchSession: ({ session }) => unknownSession(session),
    deleteSession: ({ session }) => unknownSession(session),
    changeClosed: ({ session }) => unknownSession(session),
    getState: ({ session }) => unknownSession(session),
    getTree: ({ session = '' }) => unknownSession(session),
    getEntries: ({ session = '' }) => unknownSession(session),
    getContext: ({ session = '' }) => unknownSession(session),
    getStats: ({ session = '' }) => unknownSession(session),
    getBlob: ({ session }) => unknownSession(session),
    importSession: () => unknownSession(''),
    exportSession: ({ session = '' }) => unknownSession(session),
    auditPolicy: ({ session = '' }) => unknownSession(session),
  }
  const own = commands
  return {
    sessionsById,
    requests,
    sessions: {
      ...sessions,
      ...defined({
        create: own.newSession,
        open: own.openSession,
        replay: own.replaySession,
        runTool: own.runTool,
        findFiles: own.findFiles,
      }),
    },
    stored: { ...stored, ...own },
    config: {
      list: own.configList ?? (() => of({ file: '/settings.json', settings: [] })),
      get: own.configGet ?? (({ key }) => of({ file: '/settings.json', setting: { key, takes: 'a text' } })),
      set: own.configSet ?? (({ key }) => of({ file: '/settings.json', setting: { key, takes: 'a text' } })),
      trustFolder:
        own.trustFolder ?? (({ cwd }) => of({ folder: cwd, trusted: false, state: 'none' as const, files: [] })),
      doctor: own.doctor ?? (() => of({ checks: [...checks] })),
    },
    extensions: {
      list: own.listExtensions ?? (() => of({ extensions: [], problems: [] })),
      trust: own.trustExtension ?? (() => of({ extensions: [] })),
      kill: own.killExtension ?? (() => of({ extensions: [] })),
      installPackage: own.installPackage ?? (() => throwError(() => new Failure('bad_request', 'no package'))),
      listPackages: own.listPackages ?? (() => of({ packages: [] })),
      removePackage: own.removePackage ?? ((command) => of({ name: command.package, source: command.package })),
      updatePackages: own.updatePackages ?? (() => of({ packages: [] })),
      audit: own.auditExtensions ?? (() => of({ entries: [], more: false })),
    },
    mcp: {
      list: own.listServers ?? (() => of({ file: '/settings.json', servers: [], problems: [] })),
      show: own.showServer ?? (({ server }) => noServer(server)),
      add: own.addServer ?? (({ server }) => noServer(server)),
      remove: own.removeServer ?? (() => of({ file: '/settings.json' })),
      test: own.testServer ?? (({ server }) => noServer(server)),
      login: own.loginServer ?? (({ server }) => noServer(server)),
      logout: own.logoutServer ?? (({ server }) => noServer(server)),
      logs: own.serverLogs ?? (() => of({ lines: [] })),
      restart: own.restartServer ?? (() => of({})),
      check: () => of([]),
      importServers: own.importServers ?? (() => of({ files: [], servers: [], file: '/settings.json' })),
    },
    imports: { pi: own.importPi ?? (() => of({ dir: '/pi', items: [] })) },
    auth: {
      set:
        own.authSet ??
        (({ key }) => {
          requests.push({ authSet: key.length })
          return of({ keyId: 'abcdefg2', kept: 'file', origin: 'https://api.openai.com', notices: [...notices] })
        }),
      list: own.authList ?? (() => of({ providers: [] })),
      remove: own.authRemove ?? (() => of({ removed: 1 })),
      verify: own.authVerify ?? (() => of({ outcome: 'valid', message: 'openai accepts the key.' })),
    },
    accounts: {
      login: own.login ?? (() => of({ login })),
      wait: own.waitForLogin ?? (() => of({ login })),
      input: own.giveLoginInput ?? (() => of({ login })),
      cancel: own.cancelLogin ?? (() => of({ login })),
      accounts: own.listAccounts ?? (() => of({ vendors: [] })),
      logout: own.logout ?? (() => of({ removed: 1 })),
    },
    models: {
      list:
        own.listModels ??
        ((command) => {
          requests.push({ listModels: command })
          return of({
            models: [...models],
            total: models.length,
            endpoints: [...endpoints],
            source: { ...source },
            ...(roles && { roles }),
          })
        }),
      update: own.updateModels ?? (() => of({ source: { ...source }, newer: false, changed: false })),
    },
    policy: {
      explain:
        own.explainPolicy ??
        (() => of({ decision: 'allow', reason: 'It reads.', by: 'capability', mode: 'writes', sandboxed: false })),
      importRules: own.importRules ?? (({ file }) => of({ file, rules: [], notes: [] })),
    },
    close: () => EMPTY,
  }
}

function defined(parts: { readonly [Name in keyof SessionsBackend]?: SessionsBackend[Name] | undefined }) {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Partial<SessionsBackend>
}

function unknownSession(session: string): Observable<never> {
  return throwError(() => new Failure('unknown_session', `no session ${session}`))
}

function noServer(server: string): Observable<never> {
  return throwError(() => new Failure('bad_request', `There is no MCP server "${server}"`))
}
