// The checks of files that people write; see `fileSchemas`.
import type { AuthFile } from '../config/auth-file.ts'
import { checker } from '../schema/checker.ts'
import * as compiled from '../generated/file-validators.js'
import type { ScriptFile } from '../config/script-file.ts'
import type { ModelsFile } from '../config/settings.ts'

export const checkModelsFile = checker<ModelsFile>(compiled.ModelsFile)
export const checkAuthFile = checker<AuthFile>(compiled.AuthFile)
export const checkScriptFile = checker<ScriptFile>(compiled.ScriptFile)
