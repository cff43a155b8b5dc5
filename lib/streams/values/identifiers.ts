// Ids are lower-case base32 of a fixed length, so that they can be typed, sorted into paths and checked by one pattern each.
import { Type } from '@sinclair/typebox'

/** 12 characters: a session. */
export const SessionId = Type.String({ pattern: '^[a-z2-7]{12}$' })
/** 8 characters: an entry, run, turn, queued input, job or branch. */
export const ShortId = Type.String({ pattern: '^[a-z2-7]{8}$' })
/** 26 characters (128 random bits): a `ui_request`. */
export const RequestId = Type.String({ pattern: '^[a-z2-7]{26}$' })
/** A provider's id of a tool call: its own alphabet, bounded. */
export const ToolCallId = Type.String({ minLength: 1, maxLength: 512 })
/** Unix milliseconds. */
export const Timestamp = Type.Number({ minimum: 0 })
/** A whole number from 0. */
export const Count = Type.Integer({ minimum: 0 })

/** Where ids come from. The default draws from the platform's random source; tests count. */
export interface Ids {
  /** 12 characters. */
  session(): string
  /** 8 characters, fresh within the process as far as 40 random bits go; a session draws again on a clash. */
  short(): string
  /** 26 characters. */
  request(): string
}

// Ids are drawn from the platform's random source; five bits a character, so none is likelier than another.

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ids from `crypto.getRandomValues`, which every runtime of ours has. */
export function randomIds(): Ids {
  const draw = randomText()
  return { session: () => draw(12), short: () => draw(8), request: () => draw(26) }
}

function randomText(): (length: number) => string {
  const pool = new Uint8Array(1024)
  let next = pool.length
  return (length) => {
    let text = ''
    while (text.length < length) {
      if (next === pool.length) {
        crypto.getRandomValues(pool)
        next = 0
      }
      text += alphabet[(pool[next++] ?? 0) & 31] ?? ''
    }
    return text
  }
}
