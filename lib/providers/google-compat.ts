// How Google's models differ is data, never a question after their name.
import type { ThinkingLevel } from '../streams/thinking-level.ts'

export interface GoogleCompat {
  /** Thinking is asked for by a number of tokens, or by a word. @default 'budget' */
  readonly thinking: 'budget' | 'level'
  /** Tokens of thinking by level, where thinking is a budget; 0 is none, a level without a number says nothing. */
  readonly budgets: Partial<Readonly<Record<ThinkingLevel, number>>>
  /** The word by level, where thinking has levels; a level without a word says nothing. */
  readonly levels: Partial<Readonly<Record<ThinkingLevel, 'minimal' | 'low' | 'medium' | 'high'>>>
  /** The API refuses a call of the current turn without its signature; calls of other models get one that says so. @default false */
  readonly signedCalls: boolean
  /** Calls and results are sent with their ids; otherwise they belong together by their order. @default true */
  readonly callIds: boolean
  /** Images of tool results go into the result itself, otherwise behind all results. @default false */
  readonly imagesInResults: boolean
  /** Asks for the arguments of calls piece by piece. @default false */
  readonly streamArguments: boolean
}

/** What Gemini 2.5 and most endpoints take. */
export const defaultGoogleCompat: GoogleCompat = {
  thinking: 'budget',
  budgets: { off: 0, minimal: 1024, low: 2048, medium: 8192, high: 16_384, xhigh: 24_576 },
  levels: { off: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'high' },
  signedCalls: false,
  callIds: true,
  imagesInResults: false,
  streamArguments: false,
}
