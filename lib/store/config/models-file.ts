// Endpoints, headers and keys come from the user's own folder only, never from a project.
import path from 'node:path'
import type { ModelsFile } from '../../streams/config/settings.ts'
import { checkModelsFile } from '../../streams/validation/file-validators.ts'
import type { JsonFile } from './read-json-file.ts'
import { readJsonFile } from './read-json-file.ts'

/** `models.json` of the configuration folder; no providers where there is none. @throws Failure `bad_config` */
export function readModelsFile(configFolder: string): JsonFile<ModelsFile> {
  return readJsonFile(path.join(configFolder, 'models.json'), checkModelsFile, { providers: {} })
}
