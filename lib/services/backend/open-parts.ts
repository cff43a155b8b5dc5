// Opens a session over a log: settings, environment, model, tools, policy, provider, system prompt.
import { defer, map } from 'rxjs'
import type { Observable } from 'rxjs'
import { endOrphans } from '../../host/process/end-orphans.ts'
import { fileSnapshots, settingsFile } from '../../store/index.ts'
import type { Configuration, FolderTrust } from '../../store/index.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { OpenWarning, SessionLog } from '../../streams/ports/session-log.ts'
import type { InstalledTexts } from '../../streams/ports/prompt-commands.ts'
import type { Policy } from '../../streams/ports/policy.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { createToolSearch } from '../../tools/discovery/tool-search-tool.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import { toolSchemas } from '../../providers/index.ts'
import { activateChosen, createToolList } from '../../session/tools/tool-list.ts'
import { openSession } from '../../session/create/open-session.ts'
import type { SessionPrompt, SessionPromptOptions } from '../../session/create/session-prompt.ts'
import { sessionPrompt } from '../../session/create/session-prompt.ts'
import { guardedParts, sessionSecrets } from '../../session/create/session-secrets.ts'
import type { CommandHookOptions } from '../../extensions/index.ts'
import { extensionSkillFolders, withExtensionTexts } from '../../session/create/extension-texts.ts'
import { withExtensionTools } from '../../session/extensions/extension-tools.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import { hooksOfProject, sessionHooks } from '../../session/create/session-hooks.ts'
import { settingsOptions } from '../../session/contract/session-parts.ts'
import type { SessionOptions, SessionParts } from '../../session/contract/session-parts.ts'
import { openingLevel } from '../../session/roles/role-choice.ts'
import type { ModelChoiceByName } from '../../session/roles/role-choice.ts'
import { sessionRoles } from '../../session/roles/session-roles.ts'
import { searchModel, sessionModel } from '../models/configured-model.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import { modelMemory } from '../models/remember-model.ts'
import { preloadModel } from '../models/models-backend.ts'
import { skillFolders } from '../../session/create/session-commands.ts'
import type { SessionCommands } from '../../session/create/session-commands.ts'
import { withExtensionModels } from './late-model.ts'
import { openSandbox } from './open-sandbox.ts'
import type { SandboxSetup } from './open-sandbox.ts'
import { scope } from '../../streams/rx/scope.ts'
import { openingMode } from '../policy/session-policy.ts'
import { trustNotices, trustedPromptFiles } from '../../session/create/project-trust.ts'
import type { ProgramSessionOptions } from '../contract/program-sessions.ts'
import type { Fields, Notice, OpenedSession } from '../contract/server-backend.ts'
import { ownTools } from './own-tools.ts'
import { sessionOptionsFor } from './program-options.ts'

export type SessionSetup = Omit<Fields<'new_session'>, 'store' | 'title'>

/** The parts that a session is opened from. */
export interface OpenParts {
  readonly setup: SessionSetup
  /** Options of the program of the server. */
  readonly own: ProgramSessionOptions
  readonly configuration: UserConfiguration
  /** Reads the user's files again, for a model that is chosen later. */
  again(): UserConfiguration
  /** Whether the project's own files count. */
  readonly trust: FolderTrust
  readonly model: ConfiguredModel
  readonly log: SessionLog
  readonly initial?: SessionState
  /** Absent: the session leaves nothing on the disk. */
  readonly home?: string
  readonly locks: Locks
  /** Decides about the session's tool calls. */
  readonly policy: Policy
  /** Skills and prompt templates. */
  readonly prompts: SessionCommands
  /** The texts of installed packages. */
  readonly packages: InstalledTexts
  /** Phases that the session can enter. */
  readonly scenarios: Scenarios
  /** Extensions that are set up. Absent: there are none. */
  readonly extensions?: OpenedExtensions | undefined
  /** rxpi's own folders, for the sandbox. */
  readonly folders: Pick<SandboxSetup, 'home' | 'config'>
  /** The warnings of opening the log. */
  readonly notices: readonly OpenWarning[]
}

export function openParts({ setup, own, configuration, log, initial, home, ...parts }: OpenParts): OpenedSession {
  const { settings } = configuration
  const { cwd, env = {} } = setup
  const life = scope()
  const sessionId = log.header.id
  const { packages, extensions } = parts
  const skills = [
    ...skillFolders({ env, config: parts.folders.config, trust: parts.trust, packages }),
    ...extensionSkillFolders(extensions?.set),
  ]
  const sandbox = openSandbox({ ...parts.folders, ...setup, env, settings, sessionId, skills, end$: life.end$ })
  const { toolList, missing } = openToolList({ setup, own, settings, initial, home, sandbox, extensions })
  const tools = toolList.built.active
  const files = trustedPromptFiles(parts.folders.config, parts.trust)
  const { commands, skills: skillSource } = withExtensionTexts(parts.prompts, extensions?.set)
  const promptSources = { files, skills: skillSource, configFolder: parts.folders.config }
  const prompt = promptOf({ ...setup, ...log.header, ...promptSources, transform: own.promptSections })
  const { notices: chosen, source, unusable, ...found } = parts.model
  const guarded = sessionSecrets({ env, ...configuration })
  const hooks = hooksOf({ ...configuration, own, initial, prompt, ...parts }, { sessionId, cwd, env: guarded.env })
  const thinkingLevel = openingLevel(setup, { initial, found, settings })
  const request = { ...found, tools, thinkingLevel, system: joinSections(prompt.sectionsFor(tools)) }
  const session = openSession({
    log,
    scope: life,
    warnings: parts.notices,
    ...(initial === undefined ? {} : { initial }),
    settings: () => request,
    ...(unusable === undefined ? {} : { unusable }),
    toolList,
    createToolSearch,
    ...(extensions && { extensions: extensions.set }),
    packageThemes: packages.packages.flatMap(({ themes = [] }) => themes),
    ...prompt,
    ...hooks.parts,
    ...modelParts(setup, () => withExtensionModels(parts.again(), extensions), { initial, settings }),
    ...guardedParts(guarded, { cwd, locks: parts.locks, sessionId, home, sandbox }),
    endOrphans,
    options: { ...sessionOptions({ ...parts, setup, own, configuration, initial, home }), ...hooks.options, sandbox, commands }, // prettier-ignore
  })
  if (own.onEvent !== undefined) session.listen(own.onEvent)
  hooks.follow(session.events$).pipe(life.bind()).subscribe()
  extensions?.follow$.pipe(life.bind()).subscribe()
  preloadModel(session)
  const rememberModel = home === undefined || own.model !== undefined ? undefined : modelMemory(session, home)
  if (source === 'settings') rememberModel?.() // a person wrote it there
  const further = [...chosen, ...(extensions?.notices ?? []), ...missing.map(missingToolNotice)]
  const notices = openingNotices({ ...parts, log, configuration }, further)
  return { session, notices, ...(log.readOnly && { readOnly: log.readOnly }), ...(rememberModel && { rememberModel }) }
}

interface HookSources extends Pick<OpenParts, 'own' | 'folders'>, Pick<Configuration, 'settings' | 'project'> {
  readonly initial: SessionState | undefined
  readonly prompt: SessionPrompt
}

/** The hooks of the program, and the commands of the settings. */
function hooksOf(
  { settings, project, own, initial, prompt, folders }: HookSources,
  surroundings: Pick<CommandHookOptions, 'sessionId' | 'cwd' | 'env'>,
) {
  const isResumed = initial !== undefined && initial.seq > 0
  const file = settingsFile(folders.config)
  const notes = prompt.contextNotes
  return sessionHooks({ ...surroundings, file, settings, project: hooksOfProject(project), own: own.hooks, notes, isResumed }) // prettier-ignore
}

function openingNotices(
  { configuration, trust, notices, log }: Pick<OpenParts, 'configuration' | 'trust' | 'notices' | 'log'>,
  further: readonly Notice[],
): Notice[] {
  const damage = log.readOnly === undefined ? [] : [log.readOnly]
  return [...configuration.warnings, ...trustNotices(trust), ...notices, ...damage, ...further].map(noticeOf)
}

type PromptParts = SessionSetup &
  Pick<SessionPromptOptions, 'createdAt' | 'files' | 'skills' | 'transform'> & { readonly configFolder: string }

function promptOf({ instructions = true, configFolder, ...options }: PromptParts): SessionPrompt {
  return sessionPrompt({ ...options, instructions: instructions ? { configFolder } : undefined })
}

function openToolList({
  setup: { tools: requested },
  own,
  settings,
  initial,
  home,
  sandbox,
  extensions,
}: Pick<OpenParts, 'setup' | 'own' | 'extensions'> & {
  readonly initial: SessionState | undefined
  readonly home: string | undefined
  readonly settings: Configuration['settings']
  readonly sandbox: SessionSandbox
}) {
  const { further, ...tools } = withExtensionTools(ownTools(own, home, settings), extensions?.set)
  const inputs = { ...tools, channel: [], sandbox, schemas: toolSchemas }
  return activateChosen(createToolList({ ...inputs, policy: own.allowedTools ?? {} }, own.toolLayers), {
    requested,
    logged: initial?.activeTools,
    switchedOff: initial?.switchedOff,
    joining: further,
    configured: settings.tools,
    further: [...(own.customTools ?? []).map(({ name }) => name), ...further],
  })
}

function sessionOptions({
  setup: { approve, tools: requested, env = {} },
  configuration: { settings },
  initial,
  home,
  policy,
  scenarios,
  own,
}: Pick<OpenParts, 'setup' | 'own' | 'configuration' | 'policy' | 'scenarios'> & {
  readonly initial: SessionState | undefined
  readonly home: string | undefined
}): SessionOptions {
  const usual = {
    policy,
    scenarios,
    freezeTools: true,
    approvalMode: openingMode(approve, settings, initial?.approvalMode),
    ...settingsOptions(settings, initial),
    ...(requested === undefined ? {} : { listedTools: requested }),
    ...(home === undefined || settings.snapshots === false ? {} : { snapshots: fileSnapshots({ home, env }) }),
  }
  return sessionOptionsFor(usual, own)
}

function modelParts(
  setup: SessionSetup,
  again: OpenParts['again'],
  { initial, settings }: { readonly initial: SessionState | undefined; readonly settings: Configuration['settings'] },
): Pick<SessionParts, 'resolveModel' | 'chooseModel' | 'roles'> {
  const { cwd, env = {} } = setup
  const find$ = (choice: ModelChoiceByName): Observable<ProviderModel> =>
    defer(() => searchModel(choice, { cwd, env }, again())).pipe(map(({ notices: _, ...found }) => found))
  return {
    roles: sessionRoles({ settings, cwd, homeFolder: env['HOME'], find: find$ }),
    resolveModel: (name) =>
      defer(() => sessionModel({ model: name, cwd, env }, again(), undefined)).pipe(map(toProviderModel)),
    chooseModel: () =>
      defer(() => sessionModel({ ...setup, requireModel: true }, again(), initial?.model)).pipe(map(toProviderModel)),
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
