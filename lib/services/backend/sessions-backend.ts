// Opens sessions: turns folder, environment and model name into tools, provider and log.
import { EMPTY, combineLatest, concat, defer, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { McpHub } from '../../mcp/contract/mcp-hub.ts'
import type { FileStore } from '../../store/index.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { NewHeader, OpenedLog, SessionLog, SessionStore } from '../../streams/ports/session-log.ts'
import type { FileFinder } from '../../tools/search/find-files.ts'
import { checkFolder } from '../stored/check-path.ts'
import { closeOnAbandon } from '../../streams/rx/on-abandon.ts'
import { sessionModel } from '../models/configured-model.ts'
import type { ReadConfiguration, UserConfiguration } from '../models/configured-model.ts'
import { projectTrust } from '../../session/create/project-trust.ts'
import { followSession } from '../replay/follow-session.ts'
import { commandDigest, findCreatedSession } from '../stored/find-created-session.ts'
import { openIn } from '../stored/open-target.ts'
import type { ReplayStore } from '../replay/replay-store.ts'
import { replayLog } from '../../session/recovery/replay-log.ts'
import { replaySession } from '../replay/replay-session.ts'
import { runOneTool } from './run-one-tool.ts'
import { openPolicy } from '../policy/session-policy.ts'
import type { SessionPolicySetup } from '../policy/session-policy.ts'
import { requireSandbox } from './open-sandbox.ts'
import { openSessionCommands, skillFolders } from '../../session/create/session-commands.ts'
import type { SessionCommandsSetup } from '../../session/create/session-commands.ts'
import { sessionPackages } from '../../session/create/session-packages.ts'
import { modelNameOf } from '../../session/roles/role-choice.ts'
import { openScenarios } from '../../session/create/session-scenarios.ts'
import type { SessionScenariosSetup } from '../../session/create/session-scenarios.ts'
import { extensionOptions, lateExtensions } from './extension-options.ts'
import { findEarly, findLate, withExtensionModels } from './late-model.ts'
import type { ServerExtensions } from './extension-options.ts'
import { withExtensions } from '../extensions/with-session-extensions.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import type { ServersOfSession } from '../mcp/open-servers.ts'
import { withServers } from '../mcp/with-session-servers.ts'
import { serversOptions } from './servers-options.ts'
import { openParts } from './open-parts.ts'
import type { OpenParts } from './open-parts.ts'
import type { SessionOptionsOf } from '../contract/program-sessions.ts'
import type { Fields, OpenedSession, SessionsBackend } from '../contract/server-backend.ts'
import { clientChoices, modelFor, programOptions, setupFor } from './program-options.ts'
import type { OpenedWith } from './program-options.ts'

export interface SessionsBackendOptions {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  /** Sessions in memory, and those that are being replayed. */
  readonly memory: ReplayStore
  readonly files: FileStore
  readonly finder: FileFinder
  /** The locks of files, shared by all sessions. */
  readonly locks: Locks
  readonly configured: ReadConfiguration
  readonly extensions: ServerExtensions
  /** Emits the hub of MCP servers once. */
  readonly mcp$: Observable<McpHub>
  /** Options of the server's program for a session. Default: none. */
  readonly session?: SessionOptionsOf | undefined
}

export function createSessionsBackend(options: SessionsBackendOptions): SessionsBackend {
  const { memory, files, finder } = options
  return {
    create: (command, origin = {}) => defer(() => createSession(command, origin, options)),
    findCreated: (command, opId) =>
      defer(() => emitIfFound(command.store === false ? undefined : findCreatedSession(files, command, opId))),
    open: (command) =>
      defer(() => {
        const found = openIfFree(command.session, [memory, files])
        if (found instanceof Failure) return followSession(command.session, found, files)
        return continueSession(found, command, options)
      }),
    replay: (command) => replaySession(command, [memory, files]).pipe(map(memory.add)),
    latest: (cwd) => defer(() => emitIfFound(files.latest(cwd))),
    runTool: (command) => defer(() => runOneTool(command, options)),
    findFiles: finder.find,
  }
}

function createSession(
  command: Fields<'new_session'>,
  { opId }: { readonly opId?: string },
  options: SessionsBackendOptions,
): Observable<OpenedSession> {
  const { home, config, memory, files, locks, configured, session } = options
  checkFolder(command.cwd)
  const own = programOptions(session, command)
  const setup = setupFor(command, own)
  const id = randomIds().session()
  const isStored = command.store !== false
  const { cwd, env = {} } = command
  const trust = projectTrust(command, home)
  const late = lateExtensions()
  const again = (): UserConfiguration => late.around({ ...configured(env, trust), keepsChoice: isStored })
  const configuration = again()
  const { settings, project, models } = configuration
  const rules = { cwd, env, settings, project, home, config, ...late.rules, ...(isStored ? { sessionId: id } : {}) }
  return combineLatest({
    ready: requireSandbox({ ...command, ...configuration }),
    early: findEarly(modelFor(own, () => sessionModel(setup, configuration, undefined))),
    texts: openTexts({ env, config, trust, models }, rules),
  }).pipe(
    mergeMap(({ early, texts }) => {
      const parts = {
        ...{ setup, own, configuration, again, trust, ...texts, locks },
        folders: { home, config },
        ...(isStored ? { home } : {}),
        notices: [],
      }
      return withExtensions(extensionOptions({ ...options, id, setup, own, configuration, trust }), (extensions) =>
        findLate(early, late.use(extensions), modelNameOf(settings, setup.model), () =>
          sessionModel(setup, withExtensionModels(again(), extensions), undefined),
        ).pipe(
          mergeMap((model) =>
            withServers(serversOptions({ ...options, id, setup, own, configuration, trust }), (servers) =>
              createLog(isStored ? files : memory, headerFields(command, { id, opId, own, model }), (log) =>
                openParts({ ...parts, model, extensions, servers, log }),
              ),
            ),
          ),
        ),
      )
    }),
  )
}

function headerFields(
  command: Fields<'new_session'>,
  { id, opId, ...opened }: OpenedWith & { readonly id: string; readonly opId: string | undefined },
): Omit<NewHeader, 'createdAt'> {
  const { cwd, title } = command
  const chosen = clientChoices(command, opened)
  return {
    id,
    cwd,
    ...(title === undefined ? {} : { title }),
    ...(opId === undefined ? {} : { opId, opBody: commandDigest(command) }),
    ...(chosen === undefined ? {} : { chosen }),
  }
}

type TextSetup = SessionCommandsSetup & Pick<SessionScenariosSetup, 'models' | 'logged'>

/** Emits once; the scenarios name the skills, and the policy lets them be read. */
function openTexts(setup: TextSetup, rules: SessionPolicySetup) {
  return sessionPackages(rules.home).pipe(
    mergeMap((packages) => {
      const texts = { ...setup, packages }
      return combineLatest({
        policy: openPolicy({ ...rules, skills: skillFolders(texts) }),
        prompts: openSessionCommands(texts),
        packages: of(packages),
      })
    }),
    mergeMap((found) => {
      const { prompts, packages } = found
      return openScenarios({ ...setup, packages, commands: prompts.commands }).pipe(
        map((scenarios) => ({ ...found, scenarios })),
      )
    }),
  )
}

/** Creates a log, and emits its session once the log is on the disk with its folders. */
function createLog(
  store: SessionStore,
  fields: Omit<NewHeader, 'createdAt'>,
  open: (log: SessionLog) => OpenedSession,
): Observable<OpenedSession> {
  const log = store.create({ createdAt: Date.now(), ...fields })
  return concat(
    log.durable().pipe(ignoreElements()),
    defer(() => of(open(log))),
  ).pipe(closeOnAbandon(log))
}

function continueSession(
  { log, warnings: notices }: OpenedLog,
  command: OpenParts['setup'],
  options: SessionsBackendOptions,
): Observable<OpenedSession> {
  const { home, config, locks, configured, session } = options
  const sent = { ...command, cwd: log.header.cwd }
  return defer(() => {
    const own = programOptions(session, { ...sent, session: log.header.id })
    const setup = setupFor(sent, own)
    const { cwd, env = {} } = setup
    const trust = projectTrust(setup, home)
    const late = lateExtensions()
    const again = (): UserConfiguration => late.around(configured(env, trust))
    const configuration = again()
    const initial = replayLog(log)
    const loaded = { setup, own, configuration, again, trust, log, initial }
    const parts = { ...loaded, home, locks, notices, folders: { home, config } }
    const { settings, project, models } = configuration
    const rules = { cwd, env, settings, project, home, config, ...late.rules, sessionId: log.header.id }
    return combineLatest({
      ready: requireSandbox({ ...setup, ...configuration }),
      early: findEarly(modelFor(own, () => sessionModel(setup, configuration, initial.model))),
      texts: openTexts({ env, config, trust, models, logged: initial.scenario?.scenario }, rules),
    }).pipe(
      mergeMap(({ early, texts }) => {
        const named = modelNameOf(settings, setup.model ?? initial.model)
        const open$ = (extensions?: OpenedExtensions, servers?: ServersOfSession): Observable<OpenedSession> =>
          findLate(early, extensions, named, () =>
            sessionModel(setup, withExtensionModels(again(), extensions), initial.model),
          ).pipe(map((model) => openParts({ ...parts, ...texts, model, extensions, servers })))
        if (log.readOnly !== undefined) return open$() // extensions and servers could write nothing
        const opening = { ...options, id: log.header.id, setup, own, configuration, trust }
        return withExtensions(extensionOptions(opening), (extensions) => {
          const used = late.use(extensions)
          return withServers(serversOptions(opening), (servers) => open$(used, servers))
        })
      }),
    )
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
