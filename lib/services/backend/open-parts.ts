// Opens a session over a log: settings, environment, model, tools, policy, provider, system prompt.
import { endOrphans } from '../../host/process/end-orphans.ts'
import { fileSnapshots, settingsFile } from '../../store/index.ts'
import type { FolderTrust } from '../../store/index.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { Locks } from '../../streams/ports/locks.ts'
import type { OpenWarning, SessionLog } from '../../streams/ports/session-log.ts'
import type { InstalledTexts } from '../../streams/ports/prompt-commands.ts'
import type { Policy } from '../../streams/ports/policy.ts'
import type { Scenarios } from '../../streams/ports/scenarios.ts'
import { createToolSearch } from '../../tools/discovery/tool-search-tool.ts'
import { joinSections } from '../../streams/ports/prompt-sections.ts'
import { openSession } from '../../session/create/open-session.ts'
import type { SessionPrompt, SessionPromptOptions } from '../../session/create/session-prompt.ts'
import { sessionPrompt } from '../../session/create/session-prompt.ts'
import { guardedParts, sessionSecrets } from '../../session/create/session-secrets.ts'
import { offeredBy } from '../../session/create/offered-secrets.ts'
import type { CommandHookOptions } from '../../extensions/index.ts'
import { extensionSkillFolders, withExtensionTexts } from '../../session/create/extension-texts.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import type { ServersOfSession } from '../mcp/open-servers.ts'
import { missingToolNotices } from './missing-tools.ts'
import { openToolList } from './open-tool-list.ts'
import { hooksOfProject, sessionHooks } from '../../session/create/session-hooks.ts'
import { settingsOptions } from '../../session/contract/session-parts.ts'
import type { SessionOptions } from '../../session/contract/session-parts.ts'
import { openingLevel } from '../../session/roles/role-choice.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import { modelMemory } from '../models/remember-model.ts'
import { preloadModel } from '../models/models-backend.ts'
import { skillFolders } from '../../session/create/session-commands.ts'
import type { SessionCommands } from '../../session/create/session-commands.ts'
import { withExtensionModels } from './late-model.ts'
import { laterModels } from './later-models.ts'
import { choiceNotices, openingNotices } from './opening-notices.ts'
import { openSandbox } from './open-sandbox.ts'
import type { SandboxSetup } from './open-sandbox.ts'
import { scope } from '../../streams/rx/scope.ts'
import { openingMode } from '../policy/session-policy.ts'
import { trustedPromptFiles } from '../../session/create/project-trust.ts'
import type { ProgramSessionOptions } from '../contract/program-sessions.ts'
import type { Fields, Notice, OpenedSession } from '../contract/server-backend.ts'
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
  /** MCP servers. Absent: none is configured. */
  readonly servers?: ServersOfSession | undefined
  /** rxpi's own folders, for the sandbox. */
  readonly folders: Pick<SandboxSetup, 'home' | 'config'>
  /** The warnings of opening the log. */
  readonly notices: readonly OpenWarning[]
}

export function openParts(opened: OpenParts): OpenedSession {
  const { setup, own, configuration, log, initial, home, ...parts } = opened
  const [{ settings }, { cwd, env = {} }] = [configuration, setup]
  const life = scope()
  const sessionId = log.header.id
  const { packages, extensions, servers } = parts
  const sandbox = sandboxOf(opened, life.end$)
  const { toolList, missing } = openToolList({ setup, own, settings, initial, home, sandbox, extensions, servers })
  const tools = toolList.built.active
  const files = trustedPromptFiles(parts.folders.config, parts.trust)
  const { commands, skills: skillSource } = textsOf(opened)
  const promptSources = { files, skills: skillSource, configFolder: parts.folders.config }
  const prompt = promptOf({ ...setup, ...log.header, ...promptSources, transform: own.promptSections }, servers)
  const { notices: chosen, source, unusable, ...found } = parts.model
  const offered = offeredBy({ extensions: extensions?.set })
  const guarded = sessionSecrets({ env, ...configuration, offered })
  const hooks = hooksOf(opened, prompt, { sessionId, cwd, env: guarded.env })
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
    servers: servers?.session,
    packageThemes: packages.packages.flatMap(({ themes = [] }) => themes),
    ...prompt,
    ...hooks.parts,
    ...laterModels({ setup, again: () => withExtensionModels(parts.again(), extensions), initial, settings }),
    ...guardedParts(guarded, { cwd, locks: parts.locks, sessionId, home, sandbox }),
    endOrphans,
    options: { ...sessionOptions(opened), ...hooks.options, sandbox, commands },
  })
  if (own.onEvent !== undefined) session.listen(own.onEvent)
  hooks.follow(session.events$).pipe(life.bind()).subscribe()
  extensions?.follow$.pipe(life.bind()).subscribe()
  preloadModel(session)
  const rememberModel = home === undefined || own.model !== undefined ? undefined : modelMemory(session, home)
  if (source === 'settings') rememberModel?.() // a person wrote it there
  const ofChoices = choiceNotices({ setup, initial, model: parts.model, mode: session.approvalMode })
  const further = [...chosen, ...noticesOf(opened), ...missingToolNotices(missing), ...ofChoices]
  const notices = openingNotices(opened, further)
  return { session, notices, ...(log.readOnly && { readOnly: log.readOnly }), ...(rememberModel && { rememberModel }) }
}

/** The commands and skills of files, with those of extensions and servers. */
function textsOf({ prompts, extensions, servers }: OpenParts) {
  const { commands, skills } = withExtensionTexts(prompts, extensions?.set)
  return { skills, commands: servers?.addToCommands(commands) ?? commands }
}

function noticesOf({ extensions, servers }: OpenParts): readonly Notice[] {
  return [...(extensions?.notices ?? []), ...(servers?.notices ?? [])]
}

/** The sandbox reads the folders of skills. */
function sandboxOf(
  { setup, configuration, log, folders, trust, packages, extensions }: OpenParts,
  end$: SandboxSetup['end$'],
): SessionSandbox {
  const { env = {} } = setup
  const ofFiles = skillFolders({ env, config: folders.config, trust, packages })
  const skills = [...ofFiles, ...extensionSkillFolders(extensions?.set)]
  const { settings } = configuration
  return openSandbox({ ...folders, ...setup, env, settings, sessionId: log.header.id, skills, end$ })
}

/** The hooks of the program, and the commands of the settings. */
function hooksOf(
  { configuration: { settings, project }, own, initial, folders }: OpenParts,
  { contextNotes: notes }: SessionPrompt,
  surroundings: Pick<CommandHookOptions, 'sessionId' | 'cwd' | 'env'>,
) {
  return sessionHooks({
    ...surroundings,
    ...{ file: settingsFile(folders.config), settings, project: hooksOfProject(project), own: own.hooks, notes },
    isResumed: initial !== undefined && initial.seq > 0,
  })
}

type PromptParts = SessionSetup &
  Pick<SessionPromptOptions, 'createdAt' | 'files' | 'skills' | 'transform'> & { readonly configFolder: string }

function promptOf(
  { instructions = true, configFolder, ...options }: PromptParts,
  servers: ServersOfSession | undefined,
): SessionPrompt {
  const prompt = sessionPrompt({ ...options, instructions: instructions ? { configFolder } : undefined })
  return servers?.addToPrompt(prompt) ?? prompt
}

function sessionOptions({
  setup: { approve, tools: requested, env = {} },
  configuration: { settings },
  initial,
  home,
  policy,
  scenarios,
  own,
}: OpenParts): SessionOptions {
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
