// Schemas of files that people write, and most starts do not meet: compiled apart from those that every start reads.
import type { TSchema } from '@sinclair/typebox'
import { MessagesCompat } from '../models/anthropic-messages-compat.ts'
import { ApiCompat } from '../models/api-compat.ts'
import { AuthFile } from '../config/auth-file.ts'
import { GeminiCompat } from '../models/google-compat.ts'
import { CompletionsCompat } from '../models/openai-completions-compat.ts'
import { ResponsesCompat } from '../models/openai-responses-compat.ts'
import { ScriptFile } from '../config/script-file.ts'
import { ModelsFile } from '../config/settings.ts'

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
