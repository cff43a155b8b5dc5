// How Google's models differ is data, never a question after their name.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { byLevel } from './by-level.ts'
import { stringEnum } from '../schema/string-enum.ts'

const given = Type.Optional(Type.Boolean())

export const GeminiCompat = Type.Object(
  {
    /** Thinking is asked for by a number of tokens, or by a word. Default `budget`. */
    thinking: Type.Optional(stringEnum(['budget', 'level'])),
    /** Tokens of thinking by level, where thinking is a budget; 0 is none, a level without a number says nothing. */
    budgets: Type.Optional(byLevel(Type.Integer({ minimum: 0 }))),
    /** The word by level, where thinking has levels; a level without a word says nothing. */
    levels: Type.Optional(byLevel(stringEnum(['minimal', 'low', 'medium', 'high']))),
    /** The API refuses a call of the current turn without its signature; calls of other models get one that says so. Default false. */
    signedCalls: given,
    /** Calls and results are sent with their ids; otherwise they belong together by their order. Default true. */
    callIds: given,
    /** Images of tool results go into the result itself, otherwise behind all results. Default false. */
    imagesInResults: given,
    /** Asks for the arguments of calls piece by piece. Default false. */
    streamArguments: given,
  },
  { additionalProperties: false, $id: 'GeminiCompat' },
)
export type GoogleCompat = Readonly<Required<Static<typeof GeminiCompat>>>
