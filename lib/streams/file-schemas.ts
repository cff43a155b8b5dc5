// Schemas of files that people write, and most starts do not meet: compiled apart from those that every start reads.
import type { TSchema } from '@sinclair/typebox'
import { MessagesCompat } from './anthropic-messages-compat.ts'
import { ApiCompat } from './api-compat.ts'
import { AuthFile } from './auth-file.ts'
import { GeminiCompat } from './google-compat.ts'
import { CompletionsCompat } from './openai-completions-compat.ts'
import { ResponsesCompat } from './openai-responses-compat.ts'
import { ScriptFile } from './script-file.ts'
import { ModelsFile } from './settings.ts'

/** By `$id`; they refer to one another alone. */
export const fileSchemas: Record<string, TSchema> = {
  CompletionsCompat,
  ResponsesCompat,
  MessagesCompat,
  GeminiCompat,
  ApiCompat,
  ModelsFile,
  AuthFile,
  ScriptFile,
}
