// Exports the compiled checks of files that people write; see `fileSchemas`.
import type { AuthFile } from '../config/auth-file-schema.ts'
import { createCheck } from '../schema/compiled-validator.ts'
import * as compiled from '../generated/file-validators.js'
import type { ScriptFile } from '../config/script-file.ts'
import type { ModelsFile } from '../config/settings.ts'

export const checkModelsFile = createCheck<ModelsFile>(compiled.ModelsFile)
export const checkAuthFile = createCheck<AuthFile>(compiled.AuthFile)
export const checkScriptFile = createCheck<ScriptFile>(compiled.ScriptFile)
