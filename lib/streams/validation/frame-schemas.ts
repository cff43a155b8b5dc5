// Describes the server's frames for authors of clients; the server writes them by hand.
import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { Crc } from '../log/log-line.ts'
import { eventSchemas, isDurable } from '../events/event.ts'
import type { AgentEvent } from '../events/event.ts'
import { Count, SessionId, ShortId, Timestamp, ToolCallId } from '../values/identifiers.ts'
import { nullable } from '../schema/schema-helpers.ts'

const v = Type.Literal(1)
const session = SessionId
const names = Object.keys(eventSchemas) as AgentEvent['type'][]
const ofKind = (durable: boolean): TSchema[] =>
  names.filter((type) => isDurable({ type } as AgentEvent) === durable).map((type) => Type.Ref(`event_${type}`))

const ErrorShape = Type.Object({
  code: Type.String(),
  message: Type.String(),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** By name; each has the `$id` `frame_<name>`. */
export const frameSchemas = {
  hello: frame('hello', {
    v,
    type: Type.Literal('hello'),
    server: Type.Object({
      name: Type.String(),
      version: Type.String(),
      build: Type.Optional(Type.String()),
      pid: Count,
      epoch: Type.String(),
    }),
    protocol: Type.Object({ min: Count, max: Count }),
    limits: Type.Record(Type.String(), Type.Number()),
    capabilities: Type.Array(Type.String()),
  }),
  ok: frame('ok', {
    v,
    type: Type.Literal('response'),
    id: Type.String(),
    ok: Type.Literal(true),
    result: Type.Record(Type.String(), Type.Unknown()),
  }),
  error: frame('error', {
    v,
    type: Type.Literal('response'),
    id: nullable(Type.String()),
    ok: Type.Literal(false),
    error: ErrorShape,
  }),
  event: frame('event', {
    v,
    type: Type.Literal('event'),
    session,
    seq: Type.Integer({ minimum: 1 }),
    at: Timestamp,
    runId: Type.Optional(ShortId),
    opId: Type.Optional(Type.String()),
    event: Type.Union(ofKind(true)),
    crc: Crc,
  }),
  transient: frame('transient', { v, type: Type.Literal('event'), session, event: Type.Union(ofKind(false)) }),
  delta: frame('delta', {
    type: Type.Literal('delta'),
    channel: Count,
    entryId: ShortId,
    block: Count,
    offset: Count,
    text: Type.String(),
  }),
  caught_up: frame('caught_up', { v, type: Type.Literal('caught_up'), session, seq: Count }),
  channel_call: frame('channel_call', {
    v,
    type: Type.Literal('channel_call'),
    session,
    callId: ShortId,
    toolCallId: Type.Optional(ToolCallId),
    name: Type.String(),
    args: Type.Record(Type.String(), Type.Unknown()),
  }),
  channel_cancel: frame('channel_cancel', { v, type: Type.Literal('channel_cancel'), session, callId: ShortId }),
  lagging: frame('lagging', { v, type: Type.Literal('lagging'), session, seq: Count }),
} as const

function frame(name: string, properties: Record<string, TSchema>) {
  return Type.Object(properties, { $id: `frame_${name}` })
}
