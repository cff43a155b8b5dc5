// Schema of a session's status at one `seq`, the result of `get_state`.
// It is small, whatever the log's length.
import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { EventNamed, FailureShape } from '../events/event.ts'
import type { PlanItem } from '../events/feature-event-fields.ts'
import { Count, ShortId, Timestamp, ToolCallId } from '../values/identifiers.ts'
import type { SessionHeader } from '../log/log-line.ts'
import type { Usage, UserContent } from '../messages/message.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'
import { thinkingLevels } from '../models/model.ts'

/** A queued input. */
export const Queued = Type.Object({
  queueId: ShortId,
  queue: stringEnum(['steering', 'followUp']),
  content: Type.Unsafe<string | readonly UserContent[]>(Type.Unknown()),
})

const queueMode = Type.Optional(stringEnum(['one-at-a-time', 'all']))

/** The phase of a session, as `get_state` has it. */
const ScenarioState = Type.Object({
  scenario: Type.String(),
  phase: Type.String(),
  /** True if calls may only read. */
  readOnly: Type.Optional(Type.Boolean()),
})

/** The fields of `get_state`'s result; all of them hold at `seq`. */
export const statusFields = {
  /** `seq` of the last durable event. */
  seq: Count,
  header: Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader')),
  headEntryId: nullable(ShortId),
  title: Type.Optional(Type.String()),
  /** Of the next request, as far as the log or an open session shows. */
  model: Type.Optional(Type.String()),
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
  activeTools: Type.Optional(Type.Array(Type.String())),
  queueModes: Type.Object({ steering: queueMode, followUp: queueMode }),
  /** Which tool calls ask: `ask`, `writes` or `auto`; absent in a session without a policy. */
  approvalMode: Type.Optional(Type.String()),
  /** The phase of a scenario that restricts the session; absent outside of scenarios. */
  scenario: Type.Optional(ScenarioState),
  /**
   * The running run; if the session is not open here, a run that another process may have running, or had when it died.
   */
  running: Type.Optional(
    Type.Object({
      runId: Type.Optional(ShortId),
      turnIndex: Count,
      /** Unix ms of its `agent_start`. */
      startedAt: Type.Optional(Timestamp),
      /** The model that answers, if it is not `model`: a fallback, or the one from before a `set_model`. */
      model: Type.Optional(Type.String()),
    }),
  ),
  /** The open message. */
  openEntryId: Type.Optional(ShortId),
  /** Running tool calls. */
  tools: Type.Array(Type.Object({ toolCallId: ToolCallId, toolName: Type.String() })),
  queue: Type.Array(Queued),
  /** Open questions. */
  requests: Type.Array(Type.Unsafe<EventNamed<'ui_request'>>(Type.Ref('event_ui_request'))),
  /** Open questions of the kinds that `ui_request` does not have; absent if there is none. */
  questions: Type.Optional(Type.Array(Type.Unsafe<EventNamed<'question'>>(Type.Ref('event_question')))),
  /** The agent's plan; absent without one. */
  plan: Type.Optional(Type.Array(Type.Unsafe<PlanItem>(Type.Ref('PlanItem')))),
  /** Running background jobs. */
  jobs: Type.Array(Type.Unsafe<EventNamed<'job_start'>>(Type.Ref('event_job_start'))),
  usage: Type.Unsafe<Usage>(Type.Ref('Usage')),
  /** How the last run ended. */
  lastEnd: Type.Optional(Type.Unsafe<EventNamed<'agent_end'>>(Type.Ref('event_agent_end'))),
  /** True if it is open on this server: a client can attach without opening it. */
  open: Type.Boolean(),
  /** True if every line that existed at opening has been checked; until then damage may still be found. */
  verified: Type.Boolean(),
  /** Why the session refuses commands that write, if known. */
  readOnly: Type.Optional(Type.Unsafe<FailureShape>(Type.Ref('FailureShape'))),
}

export type SessionStatus = Static<TObject<typeof statusFields>>
