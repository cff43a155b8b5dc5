// Reads the user's configuration of a library session: settings, endpoints, keys, prompts, skills.
import { hooksOfProject } from './session-hooks.ts'
import type { ProjectHooks } from './session-hooks.ts'
import type { PromptFiles, FileCommands, SkillSource } from '../../context/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import { createAccountSource } from '../../providers/accounts/account-source.ts'
import { catalogueFile } from '../../providers/catalogue/catalogue-file.ts'
import type { ResolveModelOptions } from '../../providers/index.ts'
import { fileAccountStorage, fileAuthStorage, loadConfiguration } from '../../store/index.ts'
import type { Configuration, FolderTrust } from '../../store/index.ts'
import { readNow } from '../../streams/rx/read-now.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import type { ProjectLayer } from '../../store/config/project-layer.ts'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { projectSource, trustedPromptFiles } from './project-trust.ts'
import { watchedCommands } from './session-commands.ts'

export type ModelSources = Omit<ResolveModelOptions, 'name' | 'fetch'>

export interface UserConfiguration
  extends
    Pick<Configuration, 'settings' | 'models'>,
    Pick<ModelSources, 'authStorage' | 'getApiKey' | 'catalogueFile'> {
  readonly promptFiles: PromptFiles
  /** Of a trusted project. */
  readonly projectHooks?: ProjectHooks | undefined
  /** About the files, for the log. */
  readonly configWarnings: readonly OpenWarning[]
}

/** @param trust of the folder @throws Failure `bad_config` */
export function readConfiguration(
  { settings = {}, models = { providers: {} }, configDir, authStorage, getApiKey }: CreateSessionOptions,
  env: Readonly<Record<string, string>>,
  trust: FolderTrust,
): UserConfiguration {
  const keyOptions = {
    ...(authStorage === undefined ? {} : { authStorage }),
    ...(getApiKey === undefined ? {} : { getApiKey }),
  }
  if (settings !== true) return { settings, models, promptFiles: {}, configWarnings: [], ...keyOptions }
  const configFolder = configDir ?? rxpiPaths(env).config
  const read = loadConfiguration({ env, configFolder, project: projectSource(trust) })
  return {
    settings: read.settings,
    models: read.models,
    promptFiles: trustedPromptFiles(configFolder, trust),
    configWarnings: [...read.warnings, ...ruleWarnings(read.project)],
    projectHooks: hooksOfProject(read.project),
    authStorage: userKeys(env),
    catalogueFile: catalogueFile(rxpiPaths(env).home),
    ...keyOptions,
  }
}

/** The program decides about calls, so rules of a project would be lost without a word. */
function ruleWarnings(project: ProjectLayer | undefined): OpenWarning[] {
  const { ask = [], deny = [] } = project?.permissions ?? {}
  if (project === undefined || ask.length + deny.length === 0) return []
  const { file } = project
  const message = `${file}: its permissions do not count in a session of a program, whose options approve and policy decide`
  return [{ code: 'config_project_ignored', message, context: { file } }]
}

/** Keys, and accounts that the user signed in to. The keychain is loaded when a key of it is needed. */
function userKeys(env: Readonly<Record<string, string>>): AuthStorage {
  const { home } = rxpiPaths(env)
  return { ...fileAuthStorage({ home }), accounts: createAccountSource({ storage: fileAccountStorage({ home }) }) }
}

export function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export interface ProgramCommands {
  readonly commands?: PromptCommands
  readonly skills?: SkillSource
}

type Options = Pick<CreateSessionOptions, 'commands' | 'settings' | 'configDir'>

/** The user's folders with `true`, or with `settings: true`; those of the project too if it is trusted. */
export function programCommands(
  { commands, settings, configDir }: Options,
  env: Readonly<Record<string, string>>,
  trust: FolderTrust,
): ProgramCommands {
  const chosen = commands ?? settings === true
  if (chosen === false) return {}
  if (chosen !== true) return { commands: chosen, ...(isFileCommands(chosen) ? { skills: skillsOf(chosen) } : {}) }
  const found = watchedCommands({ env, config: configDir ?? rxpiPaths(env).config, trust })
  return { commands: found.commands, skills: { inPrompt: readNow(found.opening$) ?? [], current: found.current } }
}

/** A note describes skills that are not there at once, because the YAML library has to be loaded first. */
function skillsOf({ skills }: Pick<FileCommands, 'skills'>): SkillSource {
  return { inPrompt: readNow(skills()) ?? [], current: skills }
}

function isFileCommands(commands: PromptCommands): commands is FileCommands {
  return 'skills' in commands
}
