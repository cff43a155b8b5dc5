// How an endpoint differs from the rest of those that speak `openai-completions` is data, never a question after its name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './by-level.ts'
import { stringEnum } from '../schema/string-enum.ts'

/**
 * How thinking is asked for, of models that reason; `<word>` is that of `effort`, and what has no word is left out.
 * `effort`: `reasoning_effort: <word>` · `reasoning`: `reasoning: {effort: <word>}` · `thinking`: `thinking: {type: 'enabled' |
 * 'disabled'}` and `reasoning_effort` · `enabled`: `reasoning: {enabled}` and `reasoning_effort` · `enable_thinking`: that field
 * and `reasoning_effort` · `template`: `chat_template_kwargs: {enable_thinking}` · `none`: nothing.
 */
export const thinkingForms = [
  'effort',
  'reasoning',
  'thinking',
  'enabled',
  'enable_thinking',
  'template',
  'none',
] as const

const given = Type.Optional(Type.Boolean())

export const CompletionsCompat = Type.Object(
  {
    /** The field that limits the output. Default `max_tokens`. */
    maxTokensField: Type.Optional(stringEnum(['max_tokens', 'max_completion_tokens'])),
    /** The role of the system prompt; for `developer` only with models that reason. Default `system`. */
    systemRole: Type.Optional(stringEnum(['system', 'developer'])),
    /** Asks by `stream_options` for the usage at the end of the stream. Default true. */
    streamUsage: given,
    /** Default `effort`. */
    thinkingForm: Type.Optional(stringEnum(thinkingForms)),
    /** False: it cannot be told not to think; at level `off` only a word of `effort` is sent. Default true. */
    thinkingOff: given,
    /** The word by thinking level, for models that reason; a level without a word sends none. */
    effort: Type.Optional(byLevel(Type.String())),
    /** Beside tools the effort is sent, left out, or has to be `none`. Default `send`. */
    effortWithTools: Type.Optional(stringEnum(['send', 'omit', 'none'])),
    /** The fields of a delta in which thinking may come; the first that says something counts. Default `reasoning_content`, `reasoning`. */
    reasoningFields: Type.Optional(Type.Readonly(Type.Array(Type.String({ minLength: 1 })))),
    /** Gives the model its own earlier thinking back, in the field in which it came. Default false. */
    replayThinking: given,
    /** An answer with calls and without thinking to give back gets an empty `reasoning_content`. Default false. */
    emptyThinking: given,
    /** The result of a call says the name of its tool. Default false. */
    toolResultName: given,
    /** What a user says after a result needs an answer between the two; one is put in. Default false. */
    answerAfterTool: given,
    /** Says with each tool that its schema is not strict. Default false. */
    strictField: given,
    /** Says `store: false`. Default false. */
    storeField: given,
    /** Sends the session's id as `prompt_cache_key`. Default false. */
    promptCacheKey: given,
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
