// Opens sessions: turns folder, environment and model name into tools, provider and log.
import { EMPTY, concat, defer, from, ignoreElements, map, mergeMap, of, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { endOrphans } from '../../host/process/end-orphans.ts'
import { systemPrompt } from '../../context/index.ts'
import { fileSnapshots } from '../../store/index.ts'
import type { Configuration, FileStore } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { NewHeader, OpenedLog, OpenWarning, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import { builtInTools } from '../../tools/index.ts'
import type { BuiltInOptions } from '../../tools/index.ts'
import type { FileFinder, FileFinderOptions } from '../../tools/search/find-files.ts'
import { checkFolder } from '../stored/check-path.ts'
import { chooseTools } from '../../session/runs/active-tools.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { sessionModel } from '../models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import { modelMemory } from '../models/remember-model.ts'
import { followSession } from '../replay/follow-session.ts'
import { preloadModel } from '../models/models-backend.ts'
import { commandDigest, findCreatedSession } from '../stored/find-created-session.ts'
import { openIn } from '../stored/open-target.ts'
import { openSession } from '../../session/create/open-session.ts'
import type { ReplayStore } from '../replay/replay-store.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'
import { replaySession } from '../replay/replay-session.ts'
import { runTool } from './run-tool.ts'
import { guardedParts, sessionSecrets } from '../../session/create/session-secrets.ts'
import { settingsOptions } from '../../session/contract/session-parts.ts'
import type { Fields, Notice, OpenedSession, SessionsBackend } from '../contract/server-backend.ts'

export interface SessionsBackendOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** Sessions in memory, and those that are being replayed. */
  readonly memory: ReplayStore
  readonly files: FileStore
  readonly finder: FileFinder
  /** The locks of files, shared by all sessions. */
  readonly locks: Locks
  /** Reads the user's files for a client with this environment. */
  configured(env: Readonly<Record<string, string>>): UserConfiguration
}

type Setup = Omit<Fields<'new_session'>, 'store' | 'title'>

export function createSessionsBackend(options: SessionsBackendOptions): SessionsBackend {
  const { home, memory, files, finder, locks, configured } = options
  return {
    create: (command, origin = {}) => defer(() => createSession(command, origin, options)),
    findCreated: (command, opId) =>
      defer(() => emitIfFound(command.store === false ? undefined : findCreatedSession(files, command, opId))),
    open: (command) =>
      defer(() => {
        const again = (): UserConfiguration => configured(command.env ?? {})
        const configuration = again()
        const found = openIfFree(command.session, [memory, files])
        if (found instanceof Failure) return followSession(command.session, found, files)
        return continueSession(found, { setup: command, configuration, again, home, locks })
      }),
    replay: (command) => replaySession(command, [memory, files]).pipe(map(memory.add)),
    latest: (cwd) => defer(() => emitIfFound(files.latest(cwd))),
    runTool: (command) =>
      defer(() => {
        checkFolder(command.cwd)
        const configuration = configured(command.env ?? {})
        const guarded = sessionSecrets({ env: command.env ?? {}, ...configuration })
        return runTool(command, builtInTools(toolOptions(home, configuration.settings)), { locks, ...guarded })
      }),
    findFiles: finder.find,
  }
}

function createSession(
  command: Fields<'new_session'>,
  { opId }: { readonly opId?: string },
  { home, memory, files, locks, configured }: SessionsBackendOptions,
): Observable<OpenedSession> {
  checkFolder(command.cwd)
  const isStored = command.store !== false
  const configuration = { ...configured(command.env ?? {}), keepsChoice: isStored }
  const { cwd, title } = command
  return sessionModel(command, configuration, undefined).pipe(
    mergeMap((model) => {
      const fields = {
        cwd,
        ...(title === undefined ? {} : { title }),
        ...(opId === undefined ? {} : { opId, opBody: commandDigest(command) }),
      }
      const again = (): UserConfiguration => ({ ...configured(command.env ?? {}), keepsChoice: isStored })
      const parts = { setup: command, configuration, again, model, locks, ...(isStored ? { home } : {}), notices: [] }
      return createLog(isStored ? files : memory, fields, (log) => openParts({ ...parts, log }))
    }),
  )
}

/** Creates a log, and emits its session once the log is on the disk with its folders. */
function createLog(
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

function continueSession(
  { log, warnings: notices }: OpenedLog,
  {
    setup: command,
    configuration,
    again,
    home,
    locks,
  }: Pick<OpenParts, 'setup' | 'configuration' | 'again' | 'locks'> & Pick<SessionsBackendOptions, 'home'>,
): Observable<OpenedSession> {
  const setup = { ...command, cwd: log.header.cwd }
  return defer(() => {
    const initial = replayLog(log)
    const parts = { setup, configuration, again, log, initial, home, locks, notices }
    return sessionModel(setup, configuration, initial.model).pipe(map((model) => openParts({ ...parts, model })))
  }).pipe(closeOnAbandon(log))
}

/** Returns the Failure if another process is known to hold the session. @throws Failure as `SessionStore.open` does */
function openIfFree(session: string, stores: readonly [SessionStore, SessionStore]): OpenedLog | Failure {
  try {
    return openIn(stores, session)
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'session_locked' && 'pid' in thrown.data) return thrown
    throw thrown
  }
}

function emitIfFound(id: string | undefined): Observable<string> {
  return id === undefined ? EMPTY : of(id)
}

interface OpenParts {
  readonly setup: Setup
  readonly configuration: UserConfiguration
  /** Reads the user's files again, for a model that is chosen later. */
  again(): UserConfiguration
  readonly model: ConfiguredModel
  readonly log: SessionLog
  readonly initial?: SessionState
  /** Absent: the session leaves nothing on the disk. */
  readonly home?: string
  readonly locks: Locks
  /** The warnings of opening the log. */
  readonly notices: readonly OpenWarning[]
}

function openParts({ setup, configuration, log, initial, home, ...parts }: OpenParts): OpenedSession {
  const { settings, warnings } = configuration
  const registry = builtInTools(toolOptions(home, settings))
  const logged = initial?.activeTools
  const { tools, missing } = chooseTools({ registry, requested: setup.tools, logged, configured: settings.tools })
  const { cwd, env = {} } = setup
  const systemFor = (active: readonly AnyTool[]): string =>
    setup.system ?? systemPrompt({ cwd, tools: active, platform: process.platform, date: new Date() })
  const { notices: chosen, source, unusable, ...found } = parts.model
  const guarded = sessionSecrets({ env, ...configuration })
  const request = {
    ...found,
    tools,
    thinkingLevel: setup.thinkingLevel ?? initial?.thinkingLevel ?? settings.thinkingLevel ?? 'off',
    system: systemFor(tools),
  }
  const session = openSession({
    log,
    warnings: parts.notices,
    ...(initial === undefined ? {} : { initial }),
    settings: () => request,
    ...(unusable === undefined ? {} : { unusable }),
    registry,
    systemFor,
    resolveModel: (name) =>
      defer(() => sessionModel({ model: name, cwd, env }, parts.again(), undefined)).pipe(map(toProviderModel)),
    chooseModel: () =>
      defer(() => sessionModel({ ...setup, requireModel: true }, parts.again(), initial?.model)).pipe(
        map(toProviderModel),
      ),
    ...guardedParts(guarded, { cwd, locks: parts.locks, sessionId: log.header.id, home }),
    endOrphans,
    options: {
      approve: 'auto', // until policy decides (docs/design/security.md#S6)
      ...settingsOptions(settings, initial),
      ...(home === undefined || settings.snapshots === false ? {} : { snapshots: fileSnapshots({ home, env }) }),
    },
  })
  preloadModel(session)
  const damage = log.readOnly === undefined ? [] : [log.readOnly]
  const all = [...warnings, ...parts.notices, ...damage, ...chosen, ...missing.map(missingToolNotice)]
  const rememberModel = home === undefined ? undefined : modelMemory(session, home)
  if (source === 'settings') rememberModel?.() // a person wrote it there
  return {
    session,
    notices: all.map(noticeOf),
    ...(log.readOnly === undefined ? {} : { readOnly: log.readOnly }),
    ...(rememberModel === undefined ? {} : { rememberModel }),
  }
}

function toProviderModel({ notices: _, source: __, unusable: ___, ...found }: ConfiguredModel): ProviderModel {
  return found
}

function missingToolNotice(name: string): Notice {
  return { code: 'tool_missing', message: `The session used the tool ${name}, which is not available any more` }
}

function noticeOf({ code, message }: Notice): Notice {
  return { code, message }
}

/** The options of the built-in tools under these settings. */
export function toolOptions(home: string | undefined, { bash }: Configuration['settings']): BuiltInOptions {
  return {
    ...(home === undefined ? {} : { home }),
    ...(bash?.timeoutMs === undefined ? {} : { bashTimeoutMs: bash.timeoutMs }),
  }
}

/** Loads the file finder with the first search: most servers never search. */
export function lazyFileFinder(env: FileFinderOptions['env']): FileFinder {
  let loaded: FileFinder | undefined
  const finder$ = (): Observable<FileFinder> =>
    defer(() => (loaded === undefined ? from(loadFinder(env)) : of(loaded))).pipe(tap((finder) => (loaded ??= finder)))
  return {
    find: (wanted) => finder$().pipe(mergeMap(() => loaded?.find(wanted) ?? EMPTY)),
    close: () => defer(() => loaded?.close() ?? EMPTY),
  }
}

async function loadFinder(env: FileFinderOptions['env']): Promise<FileFinder> {
  const { fileFinder } = await import('../../tools/search/find-files.ts')
  return fileFinder({ env })
}
