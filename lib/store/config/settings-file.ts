// The user's own settings; a project's are not read before a person trusted its folder.
import path from 'node:path'
import type { Settings } from '../../streams/config/settings.ts'
import { checkSettings } from '../../streams/validation/validators.ts'
import type { JsonFile } from './read-json-file.ts'
import { readJsonFile } from './read-json-file.ts'

/** `settings.json` of the configuration folder. */
export function settingsFile(configFolder: string): string {
  return path.join(configFolder, 'settings.json')
}

/** What stands in it; nothing set where there is none. @throws Failure `bad_config` */
export function readSettingsFile(configFolder: string): JsonFile<Settings> {
  return readJsonFile(settingsFile(configFolder), checkSettings, {})
}
