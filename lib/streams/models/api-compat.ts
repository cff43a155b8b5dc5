// The manners of a model or an endpoint are kept by wire: the same model may answer on several.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { MessagesCompat } from './anthropic-messages-compat.ts'
import type { GeminiCompat } from './google-compat.ts'
import type { CompletionsCompat } from './openai-completions-compat.ts'
import type { ResponsesCompat } from './openai-responses-compat.ts'

const gemini = Type.Unsafe<Static<typeof GeminiCompat>>(Type.Ref('GeminiCompat'))

/** What differs from the wire's defaults. */
export const ApiCompat = Type.Object(
  {
    'openai-completions': Type.Optional(Type.Unsafe<Static<typeof CompletionsCompat>>(Type.Ref('CompletionsCompat'))),
    'openai-responses': Type.Optional(Type.Unsafe<Static<typeof ResponsesCompat>>(Type.Ref('ResponsesCompat'))),
    'anthropic-messages': Type.Optional(Type.Unsafe<Static<typeof MessagesCompat>>(Type.Ref('MessagesCompat'))),
    'google-generative-ai': Type.Optional(gemini),
    'google-vertex': Type.Optional(gemini),
  },
  { additionalProperties: false, $id: 'ApiCompat' },
)
type Compat = Static<typeof ApiCompat>
export type ApiCompat = { readonly [Wire in keyof Compat]: Readonly<Compat[Wire]> }
