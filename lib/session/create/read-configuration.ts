// Reads the user's configuration of a library session: settings, endpoints, keys, prompts, skills.
import { readPromptFiles, commandFolders, createPromptCommands } from '../../context/index.ts'
import type { PromptFiles, FileCommands, SkillSource } from '../../context/index.ts'
import { rxpiPaths } from '../../host/files/paths.ts'
import type { ResolveModelOptions } from '../../providers/index.ts'
import { fileAuthStorage, loadConfiguration } from '../../store/index.ts'
import type { Configuration } from '../../store/index.ts'
import type { AuthStorage } from '../../streams/ports/auth-storage.ts'
import type { CreateSessionOptions } from './create-session-options.ts'
import { homedir } from 'node:os'
import type { Observable } from 'rxjs'
import type { PromptCommands } from '../../streams/ports/prompt-commands.ts'

export type ModelSources = Omit<ResolveModelOptions, 'name' | 'fetch'>

export type UserConfiguration = Pick<Configuration, 'settings' | 'models'> &
  Pick<ModelSources, 'authStorage' | 'getApiKey'> & { readonly promptFiles: PromptFiles }

export function readConfiguration(
  { settings = {}, models = { providers: {} }, configDir, authStorage, getApiKey }: CreateSessionOptions,
  env: Readonly<Record<string, string>>,
): UserConfiguration {
  const keyOptions = {
    ...(authStorage === undefined ? {} : { authStorage }),
    ...(getApiKey === undefined ? {} : { getApiKey }),
  }
  if (settings !== true) return { settings, models, promptFiles: {}, ...keyOptions }
  const read = loadConfiguration({ env, ...(configDir === undefined ? {} : { configFolder: configDir }) })
  const promptFiles = readPromptFiles(configDir ?? rxpiPaths(env).config)
  return { settings: read.settings, models: read.models, promptFiles, authStorage: userKeys(env), ...keyOptions }
}

/** The keychain is loaded when a key of it is needed. */
function userKeys(env: Readonly<Record<string, string>>): AuthStorage {
  return fileAuthStorage({ home: rxpiPaths(env).home })
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

/** The user's folders with `true`, or with `settings: true`; a program trusts no project. */
export function programCommands(
  { commands, settings, configDir }: Options,
  env: Readonly<Record<string, string>>,
): ProgramCommands {
  const chosen = commands ?? settings === true
  if (chosen === false) return {}
  if (chosen !== true) return { commands: chosen, ...(isFileCommands(chosen) ? { skills: skillSource(chosen) } : {}) }
  const config = configDir ?? rxpiPaths(env).config
  const found = createPromptCommands(commandFolders({ config, homeFolder: env['HOME'] ?? homedir() }))
  return { commands: found, skills: skillSource(found) }
}

/** What is not there at once, because the YAML library has to be loaded first, is told in notes. */
function skillSource({ skills }: Pick<FileCommands, 'skills'>): SkillSource {
  return { inPrompt: readNow(skills()) ?? [], current: skills }
}

function readNow<Value>(value$: Observable<Value>): Value | undefined {
  let found: Value | undefined
  value$.subscribe((value) => (found = value)).unsubscribe()
  return found
}

function isFileCommands(commands: PromptCommands): commands is FileCommands {
  return 'skills' in commands
}
