// Lists the schemas of files that people write.
// They are compiled apart, because most starts need none of them.
import type { TSchema } from '@sinclair/typebox'
import {
  MessagesCompat,
  ConversationsCompat,
  ConverseCompat,
  ApiCompat,
  GeminiCompat,
  CompletionsCompat,
  ResponsesCompat,
} from '../models/api-compat.ts'
import { AccountsFile } from '../accounts/accounts-file-schema.ts'
import { AuthFile } from '../config/auth-file-schema.ts'
import { ExtensionTrustFile } from '../config/extension-trust-schema.ts'
import { McpServersFile } from '../config/mcp-servers.ts'
import { CatalogueHeader, PublishedModel } from '../models/catalogue-schemas.ts'
import { PackagesFile } from '../config/packages-schema.ts'
import { ScenarioFile } from '../ports/scenario-file.ts'
import { ScriptFile } from '../config/script-file.ts'
import { TrustFile } from '../config/trust-file-schema.ts'
import { WrittenModelsFile } from '../config/written-models.ts'

/** By `$id`; they refer to one another only. */
export const fileSchemas: Record<string, TSchema> = {
  CompletionsCompat,
  ResponsesCompat,
  MessagesCompat,
  ConversationsCompat,
  ConverseCompat,
  GeminiCompat,
  ApiCompat,
  WrittenModelsFile,
  AuthFile,
  AccountsFile,
  TrustFile,
  ExtensionTrustFile,
  McpServersFile,
  PackagesFile,
  CatalogueHeader,
  PublishedModel,
  ScriptFile,
  ScenarioFile,
}
