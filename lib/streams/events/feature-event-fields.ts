// Fields of the events about policy, plans, questions, context, extensions and MCP servers.
// `kind`, `state` and `placement` are open texts: a later build may add values without making a log unreadable here.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Count, RequestId, ShortId, ToolCallId } from '../values/identifiers.ts'
import type { Usage } from '../messages/message.ts'
import { thinkingLevels } from '../models/model.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

/** One step of a plan; `state` is `pending`, `in_progress`, `done` or `dropped`. */
export const PlanItem = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64 }), text: Type.String(), state: Type.String() },
  { $id: 'PlanItem' },
)
export type PlanItem = Static<typeof PlanItem>

/** The outcome of a `question`: the chosen answer, an edited allow pattern, a text, the values of a form. */
export const QuestionOutcome = Type.Object(
  {
    choice: Type.String(),
    pattern: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'QuestionOutcome' },
)
export type QuestionOutcome = Static<typeof QuestionOutcome>

/** Of `model_change`: the role that the model was chosen for, why, and the model that comes back after the run. */
export const roleFields = {
  role: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  ownModel: Type.Optional(Type.String()),
  /** The level of its requests, if it comes with the role. */
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
}

export const featureFields = {
  // before a call runs: the decision and its source; `class` and `tier` of the most dangerous part of a command
  policy_decision: {
    toolCallId: ToolCallId,
    decision: stringEnum(['allow', 'ask', 'deny']),
    reason: Type.String(),
    rule: Type.Optional(Type.String()),
    class: Type.Optional(Type.String()),
    tier: Type.Optional(Type.String()),
    by: Type.String(),
    client: Type.Optional(Type.String()),
  },
  plan_update: { items: Type.Array(Type.Unsafe<PlanItem>(Type.Ref('PlanItem'))) },
  // `entryId`: the message that has the text, and `text` is empty; absent: the system prompt has it
  context_added: {
    kind: Type.String(),
    path: Type.String(),
    digest: Type.String(),
    text: Type.String(),
    entryId: Type.Optional(ShortId),
  },
  context_pin: { targetEntryId: ShortId, pinned: Type.Boolean() },
  // live only: a compaction is being made; `characters` of its summary so far
  // `usage`: of its requests so far
  compaction_progress: {
    reason: Type.String(),
    tokensBefore: Count,
    characters: Count,
    usage: Type.Optional(Type.Unsafe<Usage>(Type.Ref('Usage'))),
  },
  // of requests for summaries that no `compaction` counts
  summary_usage: { reason: Type.String(), usage: Type.Unsafe<Usage>(Type.Ref('Usage')) },
  tool_set_change: { added: Type.Array(Type.String()), removed: Type.Array(Type.String()), source: Type.String() },
  // beside `ui_request`, for what it cannot ask: editor, multi, form, url, plan, an approval with an editable pattern
  question: {
    requestId: RequestId,
    kind: Type.String(),
    source: Type.String(),
    text: Type.String(),
    choices: Type.Optional(Type.Array(Type.String())),
    options: Type.Optional(Type.Array(Type.String())),
    // JSON Schema of a form's values
    schema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    url: Type.Optional(Type.String()),
    timeoutMs: Type.Optional(Type.Number({ minimum: 0 })),
    toolCallId: Type.Optional(ToolCallId),
    tool: Type.Optional(Type.String()),
    args: Type.Optional(Type.Unknown()),
    diff: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    // of an approval: the most dangerous class of the command, as in `policy_decision`
    class: Type.Optional(Type.String()),
    tier: Type.Optional(Type.String()),
    // the rule that `always` would add, which the user may edit: `bash(npm run *)`
    pattern: Type.Optional(Type.String()),
    default: Type.Optional(Type.Unsafe<QuestionOutcome>(Type.Ref('QuestionOutcome'))),
  },
  question_resolved: {
    requestId: RequestId,
    outcome: Type.Unsafe<QuestionOutcome>(Type.Ref('QuestionOutcome')),
    by: Type.String(),
    client: Type.Optional(Type.String()),
  },
  // by recovery: the process of the job ended with its server
  job_lost: { jobId: ShortId },
  extension_state: { name: Type.String(), state: Type.String() },
  mcp_status: { server: Type.String(), state: Type.String(), error: Type.Optional(Type.String()) },
  // live only, for one client: the lines for its `columns`; `source` is the extension
  surface: {
    id: Type.String(),
    placement: Type.String(),
    lines: Type.Array(Type.String()),
    source: Type.Optional(Type.String()),
    columns: Type.Optional(Count),
    // of a widget: `above` or `below` the editor
    position: Type.Optional(Type.String()),
    // true: `surface_key` reaches it
    keys: Type.Optional(Type.Boolean()),
    // true: it is not shown any more, and `lines` is empty
    closed: Type.Optional(Type.Boolean()),
  },
} as const

/** New optional fields of `compaction`; `usage` counts for a budget. */
export const compactionFields = {
  reason: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  focus: Type.Optional(Type.String()),
  // entries before `firstKeptEntryId` that the model still receives, after the summary
  carriedEntryIds: Type.Optional(Type.Array(ShortId)),
  // messages that the model received before and that the summary now stands for
  messages: Type.Optional(Count),
}

/** New optional fields of `scenario_change`. */
export const scenarioFields = {
  scenario: Type.Optional(Type.String()),
  phase: Type.Optional(Type.String()),
  /** The model that the session goes back to; absent if no phase has replaced it. */
  ownModel: Type.Optional(Type.String()),
  /** The thinking level that comes back with it; absent if the level stays. */
  ownThinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
}
