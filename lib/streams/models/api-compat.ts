// Describes how models and endpoints differ from their API's defaults.
// Differences are plain data by API, never a rule by name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './model.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import type { ThinkingLevel } from './model.ts'

const optionalFlag = Type.Optional(Type.Boolean())

const gemini = Type.Unsafe<Static<typeof GeminiCompat>>(Type.Ref('GeminiCompat'))

/** Differences from an API's defaults, by API: one model may be served over several. */
export const ApiCompat = Type.Object(
  {
    'openai-completions': Type.Optional(Type.Unsafe<Static<typeof CompletionsCompat>>(Type.Ref('CompletionsCompat'))),
    'openai-responses': Type.Optional(Type.Unsafe<Static<typeof ResponsesCompat>>(Type.Ref('ResponsesCompat'))),
    'anthropic-messages': Type.Optional(Type.Unsafe<Static<typeof MessagesCompat>>(Type.Ref('MessagesCompat'))),
    'google-generative-ai': Type.Optional(gemini),
    'google-vertex': Type.Optional(gemini),
    'bedrock-converse-stream': Type.Optional(Type.Unsafe<Static<typeof ConverseCompat>>(Type.Ref('ConverseCompat'))),
    'mistral-conversations': Type.Optional(
      Type.Unsafe<Static<typeof ConversationsCompat>>(Type.Ref('ConversationsCompat')),
    ),
  },
  { additionalProperties: false, $id: 'ApiCompat' },
)
type Compat = Static<typeof ApiCompat>
export type ApiCompat = { readonly [Wire in keyof Compat]: Readonly<Compat[Wire]> }

type Budgets = Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>>

const budget = Type.Integer({ minimum: 1024 })
const allBudgets = Type.Optional(
  Type.Unsafe<Budgets>(
    Type.Object(
      { minimal: budget, low: budget, medium: budget, high: budget, xhigh: budget },
      { additionalProperties: false },
    ),
  ),
)
const withoutThinking = Type.Optional(stringEnum(['omit', 'disabled', 'between_tools', 'never']))

export const MessagesCompat = Type.Object(
  {
    /**
     * How key and version are sent: `vendor` as the SDK does it (`Authorization: Bearer`, version 2026-10-21, which
     * accepts no temperature); `compatible` as every endpoint supports it (`x-api-key`, version 2023-06-01). Default
     * `compatible`.
     */
    dialect: Type.Optional(stringEnum(['vendor', 'compatible'])),
    /** `budget`: thinking is requested as a number of tokens; `adaptive`: as an effort word. Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'adaptive'])),
    /**
     * How thinking is switched off: `omit` sends nothing, `never` means the model always thinks, with the effort of
     * level `off`; the others are words of the API. Default `omit`.
     */
    withoutThinking,
    /** Thinking tokens by level, if thinking is a budget; at least 1,024, and all levels. */
    budgets: allBudgets,
    /** Effort by level, if thinking is adaptive; a level without a word sends none. */
    effort: Type.Optional(byLevel(stringEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    /** The model accepts a temperature while it does not think. Default true. */
    temperature: optionalFlag,
    /**
     * Its thinking is bound to the earlier conversation; the API drops thinking that no longer fits instead of refusing
     * it. Default false.
     */
    boundThinking: optionalFlag,
    /** Marks system prompt, tools and the last two user turns for the prompt cache. Default true. */
    cacheBreakpoints: optionalFlag,
    /** Output tokens if neither the request nor the model sets a number. Default 32,000. */
    maxTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, $id: 'MessagesCompat' },
)
export type AnthropicMessagesCompat = Readonly<Required<Static<typeof MessagesCompat>>>

export const GeminiCompat = Type.Object(
  {
    /** Thinking is requested as a number of tokens (`budget`) or a word (`level`). Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'level'])),
    /** Thinking tokens by level, if thinking is a budget; 0 is none, a level without a number sends none. */
    budgets: Type.Optional(byLevel(Type.Integer({ minimum: 0 }))),
    /** The word by level, if thinking has levels; a level without a word sends none. */
    levels: Type.Optional(byLevel(stringEnum(['minimal', 'low', 'medium', 'high']))),
    /**
     * The API refuses calls of the current turn without their signature; calls of other models get a placeholder.
     * Default false.
     */
    signedCalls: optionalFlag,
    /** Calls and results are sent with their ids; otherwise order links them. Default true. */
    callIds: optionalFlag,
    /** Images of tool results go into the result itself, otherwise after all results. Default false. */
    imagesInResults: optionalFlag,
    /** Requests the arguments of calls piece by piece. Default false. */
    streamArguments: optionalFlag,
  },
  { additionalProperties: false, $id: 'GeminiCompat' },
)
export type GoogleCompat = Readonly<Required<Static<typeof GeminiCompat>>>

/**
 * How thinking is requested from reasoning models; `<word>` is the one of `effort`, and a level without a word sends
 * none.
 * `effort`: `reasoning_effort: <word>` · `reasoning`: `reasoning: {effort: <word>}` · `thinking`: `thinking: {type:
 * 'enabled' | 'disabled'}` and `reasoning_effort` · `enabled`: `reasoning: {enabled}` and `reasoning_effort` ·
 * `enable_thinking`: that field and `reasoning_effort` · `template`: `chat_template_kwargs: {enable_thinking}` ·
 * `none`: nothing.
 */
const thinkingForms = ['effort', 'reasoning', 'thinking', 'enabled', 'enable_thinking', 'template', 'none'] as const

export const CompletionsCompat = Type.Object(
  {
    /** The field that limits the output. Default `max_tokens`. */
    maxTokensField: Type.Optional(stringEnum(['max_tokens', 'max_completion_tokens'])),
    /** The role of the system prompt; `developer` only for reasoning models. Default `system`. */
    systemRole: Type.Optional(stringEnum(['system', 'developer'])),
    /** Requests the usage at the end of the stream by `stream_options`. Default true. */
    streamUsage: optionalFlag,
    /** Default `effort`. */
    thinkingForm: Type.Optional(stringEnum(thinkingForms)),
    /** False: thinking cannot be switched off; at level `off` only a word of `effort` is sent. Default true. */
    thinkingOff: optionalFlag,
    /** The word by thinking level, for reasoning models; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** If tools are sent, the effort is sent, omitted, or set to `none`. Default `send`. */
    effortWithTools: Type.Optional(stringEnum(['send', 'omit', 'none'])),
    /**
     * The fields of a delta that may hold thinking; the first non-empty one is used. Default `reasoning_content`,
     * `reasoning`.
     */
    reasoningFields: Type.Optional(Type.Readonly(Type.Array(Type.String({ minLength: 1 })))),
    /** Sends the model its own earlier thinking, in the field in which it came. Default false. */
    replayThinking: optionalFlag,
    /**
     * Sends the model its own `reasoning_details` back, which has signed and encrypted reasoning (OpenRouter); an answer
     * with them needs no `replayThinking`. Default false.
     */
    reasoningDetails: optionalFlag,
    /** An answer with calls but no thinking to replay gets an empty `reasoning_content`. Default false. */
    emptyThinking: optionalFlag,
    /** A tool result carries the tool's name. Default false. */
    toolResultName: optionalFlag,
    /** A user message after a tool result needs an assistant message in between; one is inserted. Default false. */
    answerAfterTool: optionalFlag,
    /** Marks each tool's schema as not strict. Default false. */
    strictField: optionalFlag,
    /** Sends each tool in strict mode if its schema has that form; an optional property may be null. Default false. */
    strictTools: optionalFlag,
    /** Sends `store: false`. Default false. */
    storeField: optionalFlag,
    /** Sends the session's id as `prompt_cache_key`. Default false. */
    promptCacheKey: optionalFlag,
    /** Accepts `response_format` with a JSON Schema: never, only without tools, or always. Default `never`. */
    structuredOutput: Type.Optional(stringEnum(['never', 'without_tools', 'always'])),
    /** The longest id of a tool call. Default 40. */
    callIdLength: Type.Optional(Type.Integer({ minimum: 9, maximum: 256 })),
    /** `exact`: ids consist of letters and digits, exactly `callIdLength` of them. Default `any`. */
    callIdForm: Type.Optional(stringEnum(['any', 'exact'])),
  },
  { additionalProperties: false, $id: 'CompletionsCompat' },
)
export type OpenAiCompletionsCompat = Readonly<Required<Static<typeof CompletionsCompat>>>

export const ResponsesCompat = Type.Object(
  {
    /** Effort by thinking level, for reasoning models; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Requests a summary of the reasoning. Default true. */
    summary: optionalFlag,
    /** Requests encrypted reasoning and replays it. Default true. */
    encryptedReasoning: optionalFlag,
    /** Sends each tool in strict mode if its schema has that form; an optional property may be null. Default false. */
    strictTools: optionalFlag,
    /** Sends the session's id as `prompt_cache_key`. Default true. */
    promptCacheKey: optionalFlag,
    /**
     * The endpoint is called through the SDK's client for Azure: header `api-key`, query `api-version`. Default false.
     */
    azure: optionalFlag,
    /**
     * The endpoint is the Codex backend of ChatGPT: it wants instructions and the tool choice with each request, and
     * accepts no output limit. Default false.
     */
    codex: optionalFlag,
    /** `developer`: the system prompt is the first item of the input, with that role. Default `instructions`. */
    systemPrompt: Type.Optional(stringEnum(['instructions', 'developer'])),
    /** Sends messages as the API returns them, in parts, also those with only text. Default false. */
    messageParts: optionalFlag,
  },
  { additionalProperties: false, $id: 'ResponsesCompat' },
)
export type OpenAiResponsesCompat = Readonly<Required<Static<typeof ResponsesCompat>>>

export const ConversationsCompat = Type.Object(
  {
    /**
     * How thinking is requested: `prompt_mode` as the API's reasoning mode, which has no levels; `effort` as a word.
     * Default `prompt_mode`.
     */
    thinking: Type.Optional(stringEnum(['prompt_mode', 'effort'])),
    /** The word by thinking level, if thinking is an effort; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** A user message after a tool result needs an assistant message in between; one is inserted. Default true. */
    answerAfterTool: optionalFlag,
    /** Sends the session's id as `prompt_cache_key`, and as the header `x-affinity`. Default true. */
    promptCacheKey: optionalFlag,
    /** Accepts `response_format` with a JSON Schema: never, only without tools, or always. Default `without_tools`. */
    structuredOutput: Type.Optional(stringEnum(['never', 'without_tools', 'always'])),
  },
  { additionalProperties: false, $id: 'ConversationsCompat' },
)
export type MistralCompat = Readonly<Required<Static<typeof ConversationsCompat>>>

export const ConverseCompat = Type.Object(
  {
    /**
     * How thinking is requested among the additional fields: `budget` and `adaptive` in Anthropic's form, `effort` as
     * `reasoning_effort`, `reasoning` as `reasoning: {effort}`; `none`: not at all. Default `none`.
     */
    thinking: Type.Optional(stringEnum(['none', 'budget', 'adaptive', 'effort', 'reasoning'])),
    /** How thinking in Anthropic's form is switched off; see `anthropic-messages`. Default `omit`. */
    withoutThinking,
    /** Thinking tokens by level, if thinking is a budget; at least 1,024, and all levels. */
    budgets: allBudgets,
    /** The word by level; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Requests a summary of Anthropic's thinking; AWS GovCloud refuses it. Default true. */
    summarizedThinking: optionalFlag,
    /** Thinks between tool calls too, if thinking is a budget. Default true. */
    interleavedThinking: optionalFlag,
    /** Drops earlier thinking that no longer fits the conversation instead of refusing it. Default false. */
    boundThinking: optionalFlag,
    /** Sends the model's own thinking back if it has no signature. Default false. */
    replayThinking: optionalFlag,
    /** The model accepts a temperature while it does not think. Default true. */
    temperature: optionalFlag,
    /** Marks system prompt, tools and the last two user turns for the prompt cache. Default false. */
    cachePoints: optionalFlag,
    /** Sends the output limit of the model if the request sets none. Default false. */
    limitOutput: optionalFlag,
  },
  { additionalProperties: false, $id: 'ConverseCompat' },
)
export type BedrockCompat = Readonly<Required<Static<typeof ConverseCompat>>>
