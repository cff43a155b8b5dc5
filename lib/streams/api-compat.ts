// The manners of a model or an endpoint are kept by wire: the same model may answer on several.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { MessagesCompat } from './anthropic-messages-compat.ts'
import { GeminiCompat } from './google-compat.ts'
import { CompletionsCompat } from './openai-completions-compat.ts'
import { ResponsesCompat } from './openai-responses-compat.ts'

/** What differs from the wire's defaults. */
export const ApiCompat = Type.Object(
  {
    'openai-completions': Type.Optional(CompletionsCompat),
    'openai-responses': Type.Optional(ResponsesCompat),
    'anthropic-messages': Type.Optional(MessagesCompat),
    'google-generative-ai': Type.Optional(GeminiCompat),
    'google-vertex': Type.Optional(GeminiCompat),
  },
  { additionalProperties: false },
)
type Compat = Static<typeof ApiCompat>
export type ApiCompat = { readonly [Wire in keyof Compat]: Readonly<Compat[Wire]> }
