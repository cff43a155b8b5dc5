// Chooses how the soak's model answers a request: fast, slowly, with calls, or with a fault.
import type { Chance } from './chance.ts'
import { stormCalls } from './storm-calls.ts'
import type { OfferedCalls, StormCall } from './storm-calls.ts'

/** The end of an answer's bytes. `stall`: no more data, and the connection stays. */
export type AnswerEnd = 'whole' | 'no_end' | 'half_line' | 'cut' | 'reset' | 'stall' | 'garbage'

export type FaultyAnswer =
  /** Refused with a status; a header has `retryAfterS`. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS?: number }
  /** The request is longer than the window of its model. */
  | { readonly kind: 'too_long' }
  /** No response head. */
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'stream'
      /** Pieces of 20 characters of text. */
      readonly pieces: number
      /** Milliseconds between two pieces; 0: as fast as they are read. */
      readonly everyMs: number
      readonly calls: readonly StormCall[]
      readonly end: AnswerEnd
    }

/** After that many answers with calls in one run there is one without. */
const mostTurns = 4

const weights = {
  text: 30,
  slow: 10,
  long: 3,
  storm: 34,
  limited: 4,
  broken: 4,
  refused: 1,
  silent: 1,
  no_end: 2,
  half_line: 2,
  cut: 2,
  reset: 3,
  stall: 2,
  garbage: 2,
}

/** What an answer depends on. */
export interface AnsweredRequest {
  /** The number of answers with calls in the run. */
  readonly turns: number
  /** Undefined: it takes no calls, as for a summary. */
  readonly offered: OfferedCalls | undefined
}

export function faultyAnswer(chance: Chance, { turns, offered }: AnsweredRequest): FaultyAnswer {
  const kind = turns < mostTurns ? chance.weighted(weights) : 'text'
  switch (kind) {
    case 'text':
      return stream({ pieces: chance.between(1, 80) })
    case 'slow':
      return stream({ pieces: chance.between(20, 60), everyMs: chance.between(20, 120) })
    case 'long':
      return stream({ pieces: chance.between(2_000, 6_000) })
    case 'storm':
      return offered === undefined
        ? stream({ pieces: chance.between(5, 60) })
        : stream({ pieces: chance.between(0, 10), calls: stormCalls(chance, offered) })
    case 'limited':
      return { kind: 'status', status: 429, retryAfterS: chance.between(0, 1) }
    case 'broken':
      return { kind: 'status', status: chance.one([500, 502, 503]) ?? 500 }
    case 'refused':
      return { kind: 'status', status: 400 }
    case 'silent':
      return { kind: 'silent' }
    default:
      return stream({ pieces: chance.between(0, 60), everyMs: chance.between(0, 20), end: kind })
  }
}

type Stream = Extract<FaultyAnswer, { kind: 'stream' }>

function stream({ pieces = 0, everyMs = 0, calls = [], end = 'whole' }: Partial<Stream>): Stream {
  return { kind: 'stream', pieces, everyMs, calls, end }
}
