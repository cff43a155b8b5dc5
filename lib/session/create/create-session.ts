// Creates a session from plain options; without a store it writes nothing.
import path from 'node:path'
import { EMPTY, catchError, mergeMap } from 'rxjs'
import { endOrphans } from '../../host/process/end-orphans.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { fileSnapshots, memoryStore } from '../../store/index.ts'
import { toolValidator } from '../../streams/tool-definition/tool-validator.ts'
import { fromSignal } from '../../streams/rx/from-signal.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { namedLocks } from '../../streams/rx/named-locks.ts'
import { scope } from '../../streams/rx/scope.ts'
import type { ExtensionSet } from '../../extensions/index.ts'
import type { Scope } from '../../streams/rx/scope.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import type { OpenedLog, SessionLog } from '../../streams/ports/session-log.ts'
import type { Snapshots } from '../../streams/ports/snapshots.ts'
import { createToolSearch } from '../../tools/discovery/tool-search-tool.ts'
import type { ToolList } from '../contract/tool-list-port.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import { definedEnvironment, readConfiguration, programCommands } from './read-configuration.ts'
import type { UserConfiguration } from './read-configuration.ts'
import { programTrust } from './project-trust.ts'
import type { ProgramTrust } from './project-trust.ts'
import { programScenarios } from './session-scenarios.ts'
import { copyBranchOnce } from './copy-branch.ts'
import { openSession } from './open-session.ts'
import { openingLevel } from '../roles/role-choice.ts'
import { replayLog } from '../recovery/replay-log.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'
import type { Session } from '../contract/session.ts'
import { settingsOptions } from '../contract/session-parts.ts'
import { initialModel, openingModel } from './initial-model.ts'
import { extensionFetch } from '../extensions/extension-fetch.ts'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { modelFinder } from './model-finder.ts'
import { withExtensionTexts } from './extension-texts.ts'
import { homeOf, namesOf, openTools, toolOptions } from './program-tools.ts'
import type { CompleteOptions } from './program-tools.ts'
import { programServers } from '../mcp/program-servers.ts'
import { sessionHooks } from './session-hooks.ts'
import { sessionPrompt } from './session-prompt.ts'
import type { SessionPrompt } from './session-prompt.ts'
import { offeredBy } from './offered-secrets.ts'
import { guardedParts, sessionSecrets } from './session-secrets.ts'

/**
 * Creates or (with `sessionId`) opens a session. `session.send({type: 'prompt', text})` starts a run, `session.events$` is
 * live, `session.close()` leaves nothing behind.
 * Without a usable model the session can be read, and prompts fail with `no_model`.
 * @throws Failure `bad_request` or `bad_config` for a model, tool or session that is not there
 */
export function createSession(options: CreateSessionOptions = {}): Session {
  const { cwd = process.cwd(), env = definedEnvironment() } = options
  const trust = programTrust(options, { home: rxpiPaths(env).home, cwd })
  const configuration = { ...readConfiguration(options, env, trust), trust }
  const opened = openLog(options, cwd)
  const life = scope()
  try {
    return openOnLog(opened, { ...options, cwd, env }, configuration, life)
  } catch (thrown) {
    life.end()
    opened.log.close().subscribe({ error: () => undefined }) // releases the lock; the first failure is thrown
    throw thrown
  }
}

/** The sessions of one program share the locks of files. */
const processLocks = namedLocks()

function openOnLog(
  { log, warnings }: OpenedLog,
  options: CompleteOptions,
  { settings, promptFiles, configWarnings, trust, ...sources }: UserConfiguration & { readonly trust: ProgramTrust },
  life: Scope,
): Session {
  const { cwd, env } = options
  const { models } = sources
  const files = programCommands(options, env, trust)
  const initial = replayLog(log)
  const named = { models, commands: files.commands, logged: initial.scenario }
  const scenarios = programScenarios({ ...options, ...named, trust: trust.forScenarios })
  const opened: { extensions?: ExtensionSet | undefined } = {}
  const fetch = extensionFetch(httpFetch, () => opened.extensions)
  const finder = modelFinder(options, { env, ...sources, cwd, settings, fetch, opened })
  const secrets = sessionSecrets({ env, settings, models, offered: offeredBy(opened) })
  const sessionId = log.header.id
  const { extensions, toolList } = openTools(options, { sessionId, env: secrets.env, settings, initial, models })
  opened.extensions = extensions // they may offer the model
  life.onEnd(toolList.close)
  life.onEnd(() => void extensions?.close().subscribe()) // if no session is opened
  const found = initialModel(finder, { options, initial })
  const thinkingLevel = openingLevel(options, { initial, found, settings })
  const { commands: ofFiles, skills } = withExtensionTexts(files, extensions)
  const inPrompt = { skills, instructions: instructionOptions(options), files: promptFiles }
  const own = sessionPrompt({ ...options, ...log.header, ...inPrompt, transform: options.promptSections })
  const { commands, ...prompt } = withServers(options, { ...secrets, sessionId }, { ...own, commands: ofFiles })
  const opening = openingModel(found, { ...promptFor(prompt, toolList), thinkingLevel })
  const surroundings = { sessionId, cwd, env: secrets.env, isResumed: initial.seq > 0, notes: prompt.contextNotes }
  const hooks = sessionHooks({ settings, project: sources.projectHooks, own: options.hooks, ...surroundings })
  const session = openSession({
    log,
    warnings: [...configWarnings, ...trust.trustWarnings, ...warnings],
    initial,
    ...opening,
    ...{ toolList, createToolSearch },
    ...(extensions && { extensions }),
    ...prompt,
    ...hooks.parts,
    ...finder.parts,
    ...(found.unusable && { unusable: found.unusable, chooseModel: () => finder.find$(initial.model) }),
    ...storeParts(options, log),
    ...guardedParts(secrets, { cwd, locks: processLocks, sessionId, home: homeOf(options) }),
    endOrphans,
    scope: life,
    options: { ...callersOptions(options, { settings, initial, commands, scenarios }), ...hooks.options },
  })
  connectCaller(options, session, { ...hooks, ...opening }, life)
  return session
}

function promptFor({ sectionsFor }: SessionPrompt, { built: { active: tools } }: ToolList) {
  return { tools, system: joinSections(sectionsFor(tools)) }
}

/** The texts with those of the MCP servers. @throws Failure `bad_request` for an entry that does not fit */
function withServers<Texts extends SessionPrompt & { readonly commands: PromptCommands | undefined }>(
  { mcpServers: servers = {}, cwd, tools, ...options }: CompleteOptions,
  { env, secrets, sessionId }: ReturnType<typeof sessionSecrets> & { readonly sessionId: string },
  texts: Texts,
): Texts & Pick<SessionParts, 'servers'> {
  const home = homeOf(options)
  const opened = programServers({
    ...{ servers, cwd, env, sessionId, chosenTools: tools && namesOf(tools) },
    spillFolder: home === undefined ? undefined : path.join(home, 'spill'),
    redact: (text) => secrets?.begin().text(text) ?? text,
  })
  if (opened === undefined) return texts
  return {
    ...texts,
    servers: opened.port,
    contextNotes: opened.addToNotes(texts.contextNotes),
    commands: opened.addToCommands(texts.commands),
  }
}

/** The caller's options over those of the settings. */
function callersOptions(options: CompleteOptions, { settings, initial, ...ports }: OptionSources): SessionOptions {
  const defaults = { ...settingsOptions(settings, initial), ...toolOptions(options) }
  const { snapshots, commands, scenarios, extensions, mcpServers, ...own } = options
  return {
    validatorOf: toolValidator,
    ...defaults,
    ...own,
    queueModes: { ...defaults.queueModes, ...own.queueModes },
    ...snapshotsPart(options),
    ...(ports.commands && { commands: ports.commands }),
    ...(ports.scenarios && { scenarios: ports.scenarios }),
  }
}

interface OptionSources extends Pick<Parameters<typeof openTools>[1], 'settings' | 'initial'> {
  readonly commands: PromptCommands | undefined
  readonly scenarios: Scenarios | undefined
}

/** The user's folder is read with the user's settings. */
function instructionOptions({ instructions, settings, configDir, env }: CompleteOptions) {
  if (!(instructions ?? settings === true)) return undefined
  return settings === true ? { configFolder: configDir ?? rxpiPaths(env).config } : {}
}

/** Commands that observe and the caller get the events; the run that is on aborts when the caller's signal does. */
function connectCaller(
  { signal, onEvent }: CompleteOptions,
  session: Session,
  { follow, pendingModel }: Pick<ReturnType<typeof sessionHooks>, 'follow'> & Pick<SessionParts, 'pendingModel'>,
  life: Scope,
): void {
  follow(session.events$).pipe(life.bind()).subscribe()
  // a prompt tries again, and fails with the reason
  pendingModel?.()
    ?.pipe(life.bind())
    .subscribe({ error: () => undefined })
  if (onEvent !== undefined) session.listen(onEvent)
  fromSignal(signal)
    .pipe(
      mergeMap(() => session.send({ type: 'abort' })),
      catchError(() => EMPTY), // a log that takes no lines ends the run by itself
      life.bind(),
    )
    .subscribe()
}

/** Without a store, no caller could open the copy. */
function storeParts({ store, writer }: CompleteOptions, log: SessionLog): Pick<SessionParts, 'copyBranch' | 'writer'> {
  return {
    ...(store === undefined ? {} : { copyBranch: (branch) => copyBranchOnce({ ...branch, store }) }),
    ...(writer === undefined ? {} : { writer: writer(log) }),
  }
}

function snapshotsPart({ snapshots = false, env }: CompleteOptions): { readonly snapshots?: Snapshots } {
  if (typeof snapshots === 'object') return { snapshots }
  return snapshots ? { snapshots: fileSnapshots({ home: rxpiPaths(env).home, env }) } : {}
}

function openLog({ store = memoryStore(), sessionId, parent }: CreateSessionOptions, cwd: string): OpenedLog {
  if (sessionId !== undefined) return store.open(sessionId)
  const header = { id: randomIds().session(), createdAt: Date.now(), cwd }
  return { log: store.create(parent === undefined ? header : { ...header, parent }), warnings: [] }
}
