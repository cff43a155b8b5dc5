// Describes how models and endpoints differ from their API's defaults: plain data by API, never a rule by name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './thinking-level.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import type { ThinkingLevel } from './thinking-level.ts'

const optionalFlag = Type.Optional(Type.Boolean())

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

type Budgets = Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>>

const budget = Type.Integer({ minimum: 1024 })

export const MessagesCompat = Type.Object(
  {
    /**
     * How the key and the version are told: `vendor` as the SDK does it today (`Authorization: Bearer`, version 2026-10-21,
     * which takes no temperature); `compatible` as every endpoint knows it (`x-api-key`, version 2023-06-01). Default `compatible`.
     */
    dialect: Type.Optional(stringEnum(['vendor', 'compatible'])),
    /** `budget`: thinking is asked for by a number of tokens; `adaptive`: by an effort word. Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'adaptive'])),
    /**
     * What says that it shall not think: `omit` says nothing, `never` thinks all the same, with the effort of level `off`;
     * the others are words of the API. Default `omit`.
     */
    withoutThinking: Type.Optional(stringEnum(['omit', 'disabled', 'between_tools', 'never'])),
    /** Tokens of thinking by level, where thinking is a budget; at least 1,024, and all levels. */
    budgets: Type.Optional(
      Type.Unsafe<Budgets>(
        Type.Object(
          { minimal: budget, low: budget, medium: budget, high: budget, xhigh: budget },
          { additionalProperties: false },
        ),
      ),
    ),
    /** Effort by level, where thinking is adaptive; a level without a word sends none. */
    effort: Type.Optional(byLevel(stringEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    /** The model takes a temperature while it does not think. Default true. */
    temperature: optionalFlag,
    /** Its thinking is bound to what was said before; what no longer fits is dropped by the API, not refused. Default false. */
    boundThinking: optionalFlag,
    /** Marks system prompt, tools and the last two user turns for the prompt cache. Default true. */
    cacheBreakpoints: optionalFlag,
    /** Output tokens where neither the request nor the model says a number. Default 32,000. */
    maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, $id: 'MessagesCompat' },
)
export type AnthropicMessagesCompat = Readonly<Required<Static<typeof MessagesCompat>>>

export const GeminiCompat = Type.Object(
  {
    /** Thinking is asked for by a number of tokens, or by a word. Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'level'])),
    /** Tokens of thinking by level, where thinking is a budget; 0 is none, a level without a number says nothing. */
    budgets: Type.Optional(byLevel(Type.Integer({ minimum: 0 }))),
    /** The word by level, where thinking has levels; a level without a word says nothing. */
    levels: Type.Optional(byLevel(stringEnum(['minimal', 'low', 'medium', 'high']))),
    /** The API refuses a call of the current turn without its signature; calls of other models get one that says so. Default false. */
    signedCalls: optionalFlag,
    /** Calls and results are sent with their ids; otherwise they belong together by their order. Default true. */
    callIds: optionalFlag,
    /** Images of tool results go into the result itself, otherwise behind all results. Default false. */
    imagesInResults: optionalFlag,
    /** Asks for the arguments of calls piece by piece. Default false. */
    streamArguments: optionalFlag,
  },
  { additionalProperties: false, $id: 'GeminiCompat' },
)
export type GoogleCompat = Readonly<Required<Static<typeof GeminiCompat>>>

/**
 * How thinking is asked for, of models that reason; `<word>` is that of `effort`, and what has no word is left out.
 * `effort`: `reasoning_effort: <word>` · `reasoning`: `reasoning: {effort: <word>}` · `thinking`: `thinking: {type: 'enabled' |
 * 'disabled'}` and `reasoning_effort` · `enabled`: `reasoning: {enabled}` and `reasoning_effort` · `enable_thinking`: that field
 * and `reasoning_effort` · `template`: `chat_template_kwargs: {enable_thinking}` · `none`: nothing.
 */
const thinkingForms = ['effort', 'reasoning', 'thinking', 'enabled', 'enable_thinking', 'template', 'none'] as const

export const CompletionsCompat = Type.Object(
  {
    /** The field that limits the output. Default `max_tokens`. */
    maxTokensField: Type.Optional(stringEnum(['max_tokens', 'max_completion_tokens'])),
    /** The role of the system prompt; for `developer` only with models that reason. Default `system`. */
    systemRole: Type.Optional(stringEnum(['system', 'developer'])),
    /** Asks by `stream_options` for the usage at the end of the stream. Default true. */
    streamUsage: optionalFlag,
    /** Default `effort`. */
    thinkingForm: Type.Optional(stringEnum(thinkingForms)),
    /** False: it cannot be told not to think; at level `off` only a word of `effort` is sent. Default true. */
    thinkingOff: optionalFlag,
    /** The word by thinking level, for models that reason; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Beside tools the effort is sent, left out, or has to be `none`. Default `send`. */
    effortWithTools: Type.Optional(stringEnum(['send', 'omit', 'none'])),
    /** The fields of a delta in which thinking may come; the first that says something counts. Default `reasoning_content`, `reasoning`. */
    reasoningFields: Type.Optional(Type.Readonly(Type.Array(Type.String({ minLength: 1 })))),
    /** Gives the model its own earlier thinking back, in the field in which it came. Default false. */
    replayThinking: optionalFlag,
    /** An answer with calls and without thinking to give back gets an empty `reasoning_content`. Default false. */
    emptyThinking: optionalFlag,
    /** The result of a call says the name of its tool. Default false. */
    toolResultName: optionalFlag,
    /** What a user says after a result needs an answer between the two; one is put in. Default false. */
    answerAfterTool: optionalFlag,
    /** Says with each tool that its schema is not strict. Default false. */
    strictField: optionalFlag,
    /** Says `store: false`. Default false. */
    storeField: optionalFlag,
    /** Sends the session's id as `prompt_cache_key`. Default false. */
    promptCacheKey: optionalFlag,
    /** Takes `response_format` with a JSON Schema: never, only where there are no tools, or always. Default `never`. */
    structuredOutput: Type.Optional(stringEnum(['never', 'without_tools', 'always'])),
    /** The longest id of a tool call. Default 40. */
    callIdLength: Type.Optional(Type.Integer({ minimum: 9, maximum: 256 })),
    /** `exact`: ids are letters and digits alone, and exactly `callIdLength` of them. Default `any`. */
    callIdForm: Type.Optional(stringEnum(['any', 'exact'])),
  },
  { additionalProperties: false, $id: 'CompletionsCompat' },
)
export type OpenAiCompletionsCompat = Readonly<Required<Static<typeof CompletionsCompat>>>

export const ResponsesCompat = Type.Object(
  {
    /** Effort by thinking level, for models that reason; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Asks models that reason for a summary of it. Default true. */
    summary: optionalFlag,
    /** Asks models that reason for their reasoning in encrypted form, and gives it back to them. Default true. */
    encryptedReasoning: optionalFlag,
    /** Sends the session's id as `prompt_cache_key`. Default true. */
    promptCacheKey: optionalFlag,
    /** The endpoint is asked through the SDK's client for Azure: header `api-key`, query `api-version`. Default false. */
    azure: optionalFlag,
  },
  { additionalProperties: false, $id: 'ResponsesCompat' },
)
export type OpenAiResponsesCompat = Readonly<Required<Static<typeof ResponsesCompat>>>
