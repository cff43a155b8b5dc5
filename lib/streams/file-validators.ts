// The checks of files that people write; see `fileSchemas`.
import type { AuthFile } from './auth-file.ts'
import { checker } from './checker.ts'
import * as compiled from './generated/file-validators.js'
import type { ScriptFile } from './script-file.ts'
import type { ModelsFile } from './settings.ts'

export const checkModelsFile = checker<ModelsFile>(compiled.ModelsFile)
export const checkAuthFile = checker<AuthFile>(compiled.AuthFile)
export const checkScriptFile = checker<ScriptFile>(compiled.ScriptFile)
