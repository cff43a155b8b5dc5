// What a client that offers tools of its own says: which there are, and what a call of one came to.
import { Type } from '@sinclair/typebox'
import { ShortId } from '../values/identifiers.ts'
import { UserPart } from '../messages/message.ts'

/** Tools of the client, active as long as it is attached, under the names `channel_<client>_<name>`. */
export const offeredTools = Type.Array(
  Type.Object({
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,35}$' }),
    description: Type.String({ maxLength: 16_384 }),
    /** JSON Schema of an object, 64 Ki characters at most. */
    parameters: Type.Record(Type.String(), Type.Unknown()),
    /** Milliseconds after which a call is ended; 0: none. Default 120,000. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  }),
  { maxItems: 64 },
)

export const channelParameters = {
  /** What a `channel_call` came to; once, and only from the connection that was called. */
  channel_result: {
    callId: ShortId,
    content: Type.Array(UserPart),
    /** For people and programs, never for the model. */
    details: Type.Optional(Type.Unknown()),
    isError: Type.Optional(Type.Boolean()),
  },
}

export const channelResults = { channel_result: {} }
