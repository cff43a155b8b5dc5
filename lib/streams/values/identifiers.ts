// Schemas of ids and the random source of new ones.
// Ids are lower-case base32 of a fixed length, easy to type and to sort.
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

/** Source of ids. The default uses the platform's random source; tests count. */
export interface Ids {
  /** 12 characters. */
  session(): string
  /** 8 characters, unique within the process as far as 40 random bits go; a session draws again on a clash. */
  short(): string
  /** 26 characters. */
  request(): string
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Ids from `crypto.getRandomValues`: five bits a character, so that all are equally likely. */
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

/** Most characters of a session's title. */
export const titleLimit = 200

/** Most characters of a text that sessions are searched for. */
export const searchLimit = 200

/** Pattern of a client's name, the prefix of its tools' names: 1 to 20 letters, digits and dashes. */
export const clientName = '^[A-Za-z0-9-]{1,20}$'
