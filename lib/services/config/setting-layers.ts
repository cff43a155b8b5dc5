// Reads the layers of the settings, and names the layer of each value.
import {
  environmentSettings,
  loadConfiguration,
  readSettingsFile,
  settingAt,
  settingDefaults,
} from '../../store/index.ts'
import type { SettingKey } from '../../store/index.ts'
import type { Setting } from '../../streams/commands/config-commands.ts'
import type { Permissions } from '../../streams/config/permissions.ts'
import { summariseServer } from '../../store/config/project-servers.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { Fields } from '../contract/server-backend.ts'
import { projectSource, projectTrust, trustNotices } from '../../session/create/project-trust.ts'

export interface ConfigFolders {
  /** The folder of `settings.json`, absolute. */
  readonly folder: string
  /** `$RXPI_HOME`. */
  readonly home: string
}

/** The settings of each layer. */
export interface SettingLayers {
  readonly users: Settings
  readonly environment: Settings
  /** The layer of the trusted project, with its rules beside those of the user. */
  readonly project?: { readonly file: string; readonly settings: Settings }
  readonly warnings: readonly string[]
}

/** @throws Failure `bad_config` */
export function readLayers({ env = {}, ...setup }: Fields<'config_list'>, folders: ConfigFolders): SettingLayers {
  const { value: users } = readSettingsFile(folders.folder)
  const environment = environmentSettings(env)
  const trust = projectTrust(setup, folders.home)
  const source = projectSource(trust)
  if (source === undefined) return { users, environment, warnings: trustNotices(trust).map(({ message }) => message) }
  const { project, warnings } = loadConfiguration({ env: {}, configFolder: folders.folder, project: source })
  const messages = warnings.map(({ message }) => message)
  if (project === undefined) return { users, environment, warnings: messages }
  const permissions = addRules(users.permissions, project.permissions)
  const settings = { ...project.settings, ...(permissions === undefined ? {} : { permissions }) }
  return { users, environment, project: { file: project.file, settings }, warnings: messages }
}

/** Only the lists to which the project adds. */
function addRules(users: Permissions = {}, { ask, deny }: Permissions): Permissions | undefined {
  if (ask === undefined && deny === undefined) return undefined
  return {
    ...(ask === undefined ? {} : { ask: [...(users.ask ?? []), ...ask] }),
    ...(deny === undefined ? {} : { deny: [...(users.deny ?? []), ...deny] }),
  }
}

/** One setting with its value and the layer that it comes from. */
export function currentSetting(
  { key, takes, variable }: SettingKey,
  { users, project, environment }: SettingLayers,
): Setting {
  const usual = settingDefaults[key]
  const own = {
    ...{ key, takes },
    ...(variable === undefined ? {} : { variable }),
    ...(usual === undefined ? {} : { default: usual }),
  }
  const layers = [
    ['environment', environment],
    ['project', project?.settings ?? {}],
    ['file', users],
  ] as const
  const found = layers.find(([, settings]) => settingAt(settings, key) !== undefined)
  return found === undefined ? own : { ...own, value: shownValue(found[1], key), from: found[0] }
}

/** Servers may have keys in their variables and headers: the names alone are shown. */
function shownValue(settings: Settings, key: string): unknown {
  if (key !== 'mcpServers') return settingAt(settings, key)
  const { mcpServers = {} } = settings
  return Object.fromEntries(
    Object.entries(mcpServers).map(([name, entry]) => {
      const { name: _, ...summary } = summariseServer(name, entry)
      return [name, summary]
    }),
  )
}
