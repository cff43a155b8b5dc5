// Names become things here: a folder, an environment and a model's name become a session with tools, provider and log.
import { EMPTY, concat, defer, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { systemPrompt } from '../../context/index.ts'
import { processesSettled } from '../../host/process/live-calls.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { fileAuthStorage, fileSnapshots, fileStore, memoryStore } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import type { CommandNamed } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { NewHeader, OpenedLog, OpenWarning, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { builtInTools, userShell } from '../../tools/index.ts'
import type { BuiltInOptions } from '../../tools/index.ts'
import type { ClosedSurroundings } from '../stored/change-closed.ts'
import { checkFolder } from '../stored/check-folder.ts'
import { chooseTools } from '../../session/runs/choose-tools.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { commandDigest } from '../../session/commands/command-digest.ts'
import { configuredModel } from '../models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import { doctor } from '../doctor/doctor.ts'
import { lazyFileFinder } from './lazy-file-finder.ts'
import { followSession } from '../replay/follow-session.ts'
import { keptSessions } from '../stored/kept-sessions.ts'
import { listModels } from '../models/list-models.ts'
import { loadAhead } from '../models/load-ahead.ts'
import { madeBefore } from '../stored/made-before.ts'
import { manageKeys } from '../auth/manage-keys.ts'
import { manageSettings } from '../config/manage-settings.ts'
import { openIn } from '../stored/open-in.ts'
import { openSession } from '../../session/create/open-session.ts'
import { playedStore } from '../replay/played-store.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'
import { replaySession } from '../replay/replay-session.ts'
import { runTool } from './run-tool.ts'
import { settingsOptions } from '../../session/create/settings-options.ts'
import type { Notice, OpenedSession, SessionHost } from '../contract/session-host.ts'
import { transferSessions } from '../stored/transfer-sessions.ts'
import { userConfigurations } from '../models/user-configurations.ts'

export interface SessionHostOptions {
  /** The server's own environment: where it keeps and finds its files. Never given to a session. */
  readonly env: Readonly<Record<string, string>>
  /** rxpi's version. */
  readonly version: string
  /** Where the server can be reached; the locks of its sessions name it. Default: nowhere. */
  readonly socket?: string
}

type Setup = Omit<CommandNamed<'new_session'>, 'type' | 'store' | 'title'>

/** A host on this machine: sessions in `$RXPI_HOME`, settings of this user, the built-in tools and providers. */
export function createSessionHost({ env, version, socket }: SessionHostOptions): SessionHost {
  const paths = rxpiPaths(env)
  const files = fileStore({ home: paths.home, ...(socket === undefined ? {} : { socket }) })
  const memory = playedStore(memoryStore())
  const finder = lazyFileFinder(env)
  const authStorage = fileAuthStorage({ home: paths.home })
  const configured = userConfigurations(paths, authStorage)

  return {
    newSession: (command, options = {}) =>
      defer(() => {
        checkFolder(command.cwd)
        const configuration = { ...configured(command.env ?? {}), keepsChoice: command.store !== false }
        const { cwd, title } = command
        const [store, kept] = command.store === false ? [memory, {}] : [files, { home: paths.home }]
        return configuredModel(command, configuration, undefined).pipe(
          mergeMap((model) => {
            const parts = { setup: command, configuration, model, ...kept, notices: [] }
            const made = options.opId === undefined ? {} : { ...options, opBody: commandDigest(command) }
            return created(store, { cwd, ...(title !== undefined && { title }), ...made }, (log) =>
              opened({ ...parts, log }),
            )
          }),
        )
      }),
    madeBefore: (command, opId) =>
      defer(() => idIfAny(command.store === false ? undefined : madeBefore(files, command, opId))),
    openSession: (command) =>
      defer(() => {
        const configuration = configured(command.env ?? {})
        const found = openUnlessHeld(command.session, [memory, files])
        if (found instanceof Failure) return followSession(command.session, found, files)
        return goingOn(found, { setup: command, configuration, home: paths.home })
      }),
    replaySession: (command) => replaySession(command, [memory, files]).pipe(map(memory.keep)),
    latestSession: (cwd) => defer(() => idIfAny(files.latest(cwd))),
    runTool: toolByHand(paths.home, configured),
    findFiles: finder.find,
    ...keptSessions({ memory, files }, () => closedSurroundings(paths.home, env, configured({}))),
    ...transferSessions({ memory, files, checkFolder, activeTools: () => usualTools(paths.home, configured({})) }),
    doctor: (command) => doctor(command, { env, version, authStorage }),
    ...manageSettings(paths.config),
    ...manageKeys({ authStorage, configured }),
    listModels: listModels(configured),
    close: () => concat(finder.close(), processesSettled().pipe(ignoreElements())),
  }
}

function toolByHand(
  home: string,
  configured: (env: Readonly<Record<string, string>>) => UserConfiguration,
): SessionHost['runTool'] {
  return (command) =>
    defer(() => {
      checkFolder(command.cwd)
      const { settings } = configured(command.env ?? {})
      return runTool(command, builtInTools(toolOptions(home, settings)))
    })
}

/** A new log that is on the disk with its folders before anybody is told of it. */
function created(
  store: SessionStore,
  fields: Omit<NewHeader, 'id' | 'createdAt'>,
  open: (log: SessionLog) => OpenedSession,
): Observable<OpenedSession> {
  const log = store.create({ id: randomIds().session(), createdAt: Date.now(), ...fields })
  return concat(
    log.durable().pipe(ignoreElements()),
    defer(() => of(open(log))),
  ).pipe(closeOnAbandon(log))
}

function goingOn(
  { log, warnings: notices }: OpenedLog,
  { setup: asked, configuration, home }: Pick<OpenParts, 'setup' | 'configuration'> & { readonly home: string },
): Observable<OpenedSession> {
  const setup = { ...asked, cwd: log.header.cwd }
  return defer(() => {
    const initial = replayLog(log)
    const parts = { setup, configuration, log, initial, home, notices }
    return configuredModel(setup, configuration, initial.model).pipe(map((model) => opened({ ...parts, model })))
  }).pipe(closeOnAbandon(log))
}

/** The Failure where another process is known to hold it. @throws Failure as `SessionStore.open` does */
function openUnlessHeld(session: string, stores: readonly [SessionStore, SessionStore]): OpenedLog | Failure {
  try {
    return openIn(stores, session)
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'session_locked' && 'pid' in thrown.data) return thrown
    throw thrown
  }
}

function idIfAny(id: string | undefined): Observable<string> {
  return id === undefined ? EMPTY : of(id)
}

interface OpenParts {
  readonly setup: Setup
  readonly configuration: UserConfiguration
  readonly model: ConfiguredModel
  readonly log: SessionLog
  readonly initial?: SessionState
  /** Absent: the session leaves nothing on the disk. */
  readonly home?: string
  /** What opening its log had to say. */
  readonly notices: readonly OpenWarning[]
}

function opened({ setup, configuration, model, log, initial, home, notices }: OpenParts): OpenedSession {
  const { settings, warnings } = configuration
  const registry = builtInTools(toolOptions(home, settings))
  const logged = initial?.activeTools
  const { tools, missing } = chooseTools({ registry, asked: setup.tools, logged, configured: settings.tools })
  const { cwd, env = {} } = setup
  const systemFor = (active: readonly AnyTool[]): string =>
    setup.system ?? systemPrompt({ cwd, tools: active, platform: process.platform, date: new Date() })
  const { notices: chosen, ...found } = model
  const request = {
    ...found,
    tools,
    thinkingLevel: setup.thinkingLevel ?? initial?.thinkingLevel ?? settings.thinkingLevel ?? 'off',
    system: systemFor(tools),
  }
  const session = openSession({
    log,
    warnings: notices,
    ...(initial === undefined ? {} : { initial }),
    settings: () => request,
    registry,
    systemFor,
    resolveModel: (name) =>
      configuredModel({ model: name, cwd, env }, configuration, undefined).pipe(
        map(({ notices: _, ...other }) => other),
      ),
    tools: { cwd, env },
    userShell: userShell({ cwd, env, sessionId: log.header.id, home }),
    options: {
      approve: 'auto', // until the tools issue brings policy and approvals (SECURITY S6)
      ...settingsOptions(settings, initial),
      ...(home === undefined || settings.snapshots === false ? {} : { snapshots: fileSnapshots({ home, env }) }),
    },
  })
  loadAhead(session)
  const damage = log.readOnly === undefined ? [] : [log.readOnly]
  const all = [...warnings, ...notices, ...damage, ...chosen, ...missing.map(missingTool)]
  return { session, notices: all.map(noticeOf), ...(log.readOnly === undefined ? {} : { readOnly: log.readOnly }) }
}

/** What files are put back with where a session is not open: git as the server finds it. */
function closedSurroundings(
  home: string,
  env: SessionHostOptions['env'],
  { settings }: Configuration,
): ClosedSurroundings {
  const registry = builtInTools(toolOptions(home, settings))
  if (settings.snapshots === false) return { registry }
  return { registry, snapshots: fileSnapshots({ home, env }) }
}

/** The names of what a new session would have active. */
function usualTools(home: string, { settings }: Configuration): readonly string[] {
  const registry = builtInTools(toolOptions(home, settings))
  const { tools } = chooseTools({ registry, asked: undefined, logged: undefined, configured: settings.tools })
  return tools.map(({ name }) => name)
}

function missingTool(name: string): Notice {
  return { code: 'tool_missing', message: `The session used the tool ${name}, which is not there any more` }
}

function noticeOf({ code, message }: Notice): Notice {
  return { code, message }
}

function toolOptions(home: string | undefined, { bash }: Configuration['settings']): BuiltInOptions {
  return {
    ...(home === undefined ? {} : { home }),
    ...(bash?.timeoutMs === undefined ? {} : { bashTimeoutMs: bash.timeoutMs }),
  }
}
