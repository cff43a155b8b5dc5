// What a session is at one `seq`, as `get_state` answers it: small, whatever the log's length.
import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { EventNamed, FailureShape } from '../events/event.ts'
import { Count, ShortId, ToolCallId } from '../values/identifiers.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { Usage, UserContent } from '../messages/message.ts'
import { nullable } from '../schema/schema-helpers.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { thinkingLevels } from '../models/thinking-level.ts'

/** An input that waits for its turn. */
export const Queued = Type.Object({
  queueId: ShortId,
  queue: stringEnum(['steering', 'followUp']),
  content: Type.Unsafe<string | readonly UserContent[]>(Type.Unknown()),
})

const queueMode = Type.Optional(stringEnum(['one-at-a-time', 'all']))

/** The fields of `get_state`'s result; all of them are true at `seq`. */
export const statusFields = {
  /** The last durable event. */
  seq: Count,
  header: Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader')),
  headEntryId: nullable(ShortId),
  title: Type.Optional(Type.String()),
  /** Of the next request, as far as the log or an open session says. */
  model: Type.Optional(Type.String()),
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
  activeTools: Type.Optional(Type.Array(Type.String())),
  queueModes: Type.Object({ steering: queueMode, followUp: queueMode }),
  /** The run that is on; of a session that is not open here, one that another process may be at, or was when it died. */
  running: Type.Optional(Type.Object({ runId: Type.Optional(ShortId), turnIndex: Count })),
  /** The message that is being written. */
  openEntryId: Type.Optional(ShortId),
  /** Calls that are being carried out. */
  tools: Type.Array(Type.Object({ toolCallId: ToolCallId, toolName: Type.String() })),
  queue: Type.Array(Queued),
  /** What people were asked and have not answered. */
  requests: Type.Array(Type.Unsafe<EventNamed<'ui_request'>>(Type.Ref('event_ui_request'))),
  /** Background jobs that run. */
  jobs: Type.Array(Type.Unsafe<EventNamed<'job_start'>>(Type.Ref('event_job_start'))),
  usage: Type.Unsafe<Usage>(Type.Ref('Usage')),
  /** How the last run ended. */
  lastEnd: Type.Optional(Type.Unsafe<EventNamed<'agent_end'>>(Type.Ref('event_agent_end'))),
  /** It is open on this server: attached to without being opened. */
  open: Type.Boolean(),
  /** Every line that was there when it was opened has been checked; until then damage may still be found. */
  verified: Type.Boolean(),
  /** Why it takes no command that writes, where it is known. */
  readOnly: Type.Optional(Type.Unsafe<FailureShape>(Type.Ref('FailureShape'))),
}

export type SessionStatus = Static<TObject<typeof statusFields>>
