// Exports the compiled checks of files that people write; see `fileSchemas`.
// Settings, models and scenarios are read without their unknown keys; keys of other files and scripts must all be
// known.
import type { AccountsFile } from '../accounts/accounts-file-schema.ts'
import type { AuthFile } from '../config/auth-file-schema.ts'
import type { ExtensionTrustFile } from '../config/extension-trust-schema.ts'
import { createCheck } from '../schema/compiled-validator.ts'
import { createLenientCheck } from '../schema/lenient-check.ts'
import * as compiled from '../generated/file-validators.js'
import { McpServersFile } from '../config/mcp-servers.ts'
import type { CatalogueHeader, PublishedModel } from '../models/catalogue-schemas.ts'
import type { PackagesFile } from '../config/packages-schema.ts'
import { ScenarioFile } from '../ports/scenario-file.ts'
import type { ScriptFile } from '../config/script-file.ts'
import { Settings } from '../config/settings.ts'
import type { TrustFile } from '../config/trust-file-schema.ts'
import { WrittenModelsFile } from '../config/written-models.ts'
import {
  ApiCompat,
  CompletionsCompat,
  GeminiCompat,
  MessagesCompat,
  ConversationsCompat,
  ConverseCompat,
  ResponsesCompat,
} from '../models/api-compat.ts'
import { Settings as settingsValidator } from '../generated/validators.js'

export const checkWrittenModels = createLenientCheck<WrittenModelsFile>(compiled.WrittenModelsFile, {
  schema: WrittenModelsFile,
  references: {
    ApiCompat,
    CompletionsCompat,
    GeminiCompat,
    MessagesCompat,
    ConversationsCompat,
    ConverseCompat,
    ResponsesCompat,
  },
})
export const checkWrittenSettings = createLenientCheck<Settings>(settingsValidator, { schema: Settings })
export const checkAccountsFile = createCheck<AccountsFile>(compiled.AccountsFile)
export const checkAuthFile = createCheck<AuthFile>(compiled.AuthFile)
export const checkTrustFile = createCheck<TrustFile>(compiled.TrustFile)
export const checkExtensionTrustFile = createCheck<ExtensionTrustFile>(compiled.ExtensionTrustFile)
export const checkWrittenMcpServers = createLenientCheck<McpServersFile>(compiled.McpServersFile, {
  schema: McpServersFile,
})
export const checkPackagesFile = createCheck<PackagesFile>(compiled.PackagesFile)
export const checkCatalogueHeader = createCheck<CatalogueHeader>(compiled.CatalogueHeader)
export const checkPublishedModel = createCheck<PublishedModel>(compiled.PublishedModel)
export const checkScriptFile = createCheck<ScriptFile>(compiled.ScriptFile)
export const checkWrittenScenario = createLenientCheck<ScenarioFile>(compiled.ScenarioFile, { schema: ScenarioFile })
