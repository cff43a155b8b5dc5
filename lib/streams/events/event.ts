// Defines every event of a session with its schema.
// Durable events are numbered log lines, transient ones are only live.
import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import type { NamedObject } from '../schema/schema-helpers.ts'
import type { MessageDelta } from '../messages/delta.ts'
import { Count, RequestId, ShortId, ToolCallId } from '../values/identifiers.ts'
import { Invocation, UserPart } from '../messages/message.ts'
import type { Message, UserContent, Usage } from '../messages/message.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'
import { thinkingLevels } from '../models/model.ts'
import { compactionFields, featureFields, roleFields, scenarioFields } from './feature-event-fields.ts'

const ThinkingLevel = stringEnum(thinkingLevels)
const by = Type.Optional(stringEnum(['client', 'server', 'extension', 'tool', 'recovery']))
const message = Type.Unsafe<Message>(Type.Ref('Message'))
const usage = Type.Unsafe<Usage>(Type.Ref('Usage'))
const content = Type.Unsafe<readonly UserContent[]>(Type.Array(UserPart))
const entryId = ShortId
const parentId = nullable(ShortId)
const UpdateType = stringEnum(['stdout', 'stderr', 'progress', 'partial'])

/** Why a run ended (docs/loop.md#26). */
export const terminationReasons = [
  'completed',
  'stopped',
  'terminated',
  'aborted',
  'error',
  'idle_timeout',
  'wall_clock_timeout',
  'budget_exceeded',
  'client_disconnected',
  'server_shutdown',
  'crashed',
] as const
export type TerminationReason = (typeof terminationReasons)[number]

/** An error inside an event: a Failure's code, message and data. */
export const FailureShape = Type.Object(
  { code: Type.String(), message: Type.String(), data: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
  { $id: 'FailureShape' },
)
export type FailureShape = Static<typeof FailureShape>
const failure = Type.Unsafe<FailureShape>(Type.Ref('FailureShape'))
/** A file that was not restored, and why. */
const FileReason = Type.Object({ path: Type.String(), reason: Type.String() })

function change<From extends TObject['properties'][string]>(value: From) {
  return { from: Type.Optional(value), to: value, by }
}

const notice = {
  code: Type.String(),
  message: Type.String(),
  context: Type.Optional(Type.Unknown()),
  recoverable: Type.Boolean(),
}
const summary = {
  summary: Type.String(),
  tokensBefore: Count,
  tokensAfter: Count,
  details: Type.Optional(
    Type.Object({ readFiles: Type.Array(Type.String()), modifiedFiles: Type.Array(Type.String()) }),
  ),
}

const retry = {
  attempt: Count,
  delayMs: Type.Number({ minimum: 0 }),
  kind: Type.String(),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
}

/** The fields of each event beside `type` (docs/protocol.md). */
const fields = {
  agent_start: {
    model: Type.String(),
    tools: Type.Array(Type.String()),
    thinkingLevel: ThinkingLevel,
    resumedFrom: Type.Optional(Type.String()),
  },
  turn_start: { turnId: ShortId, turnIndex: Count },
  message_start: { entryId, parentId, message, queueId: Type.Optional(ShortId) },
  message_update: { entryId, delta: Type.Unsafe<MessageDelta>(Type.Ref('MessageDelta')) },
  message_end: { entryId, parentId, message },
  // in process `args` is always set; a line has it only if a hook changed it, or with `via`: the message then has other ones
  tool_execution_start: {
    toolCallId: ToolCallId,
    toolName: Type.String(),
    entryId,
    args: Type.Optional(Type.Unknown()),
    argsChanged: Type.Optional(Type.Boolean()),
    via: Type.Optional(Type.String()),
  },
  tool_execution_update: {
    toolCallId: ToolCallId,
    updateType: UpdateType,
    content: Type.String(),
    offset: Count,
    progressPercent: Type.Optional(Type.Number()),
  },
  tool_execution_end: {
    toolCallId: ToolCallId,
    toolName: Type.String(),
    isError: Type.Boolean(),
    content,
    details: Type.Optional(Type.Unknown()),
    terminate: Type.Optional(Type.Boolean()),
    durationMs: Type.Number({ minimum: 0 }),
  },
  turn_end: {
    turnId: ShortId,
    messageEntryId: nullable(ShortId),
    toolResultEntryIds: Type.Array(ShortId),
    usage,
    hasToolCalls: Type.Boolean(),
    willContinue: Type.Boolean(),
    role: Type.Optional(Type.String()),
  },
  agent_end: {
    totalTurns: Count,
    usage,
    durationMs: Type.Number({ minimum: 0 }),
    terminationReason: stringEnum(terminationReasons),
    stopRule: Type.Optional(Type.String()),
    error: Type.Optional(failure),
  },
  agent_settled: {},
  queue_update: {
    queue: stringEnum(['steering', 'followUp']),
    op: stringEnum(['add', 'edit', 'take', 'remove', 'clear']),
    queueId: Type.Optional(ShortId),
    content: Type.Optional(Type.Unsafe<string | readonly UserContent[]>(Type.Union([Type.String(), content]))),
    invocation: Type.Optional(Invocation),
  },
  // the model's context window in tokens; with `ownModel` the change holds for the run that is on
  model_change: { ...change(Type.String()), contextWindow: Type.Optional(Count), ...roleFields },
  // `ignored`: the model does not think, as far as is known
  thinking_level_change: { ...change(ThinkingLevel), ignored: Type.Optional(Type.Boolean()) },
  active_tools_change: change(Type.Array(Type.String())),
  scenario_change: { ...change(Type.String()), ...scenarioFields },
  approval_mode_change: change(Type.String()),
  queue_mode_change: { queue: stringEnum(['steering', 'followUp']), ...change(stringEnum(['one-at-a-time', 'all'])) },
  session_info_change: change(Type.Record(Type.String(), Type.Unknown())),
  label: { targetEntryId: ShortId, label: nullable(Type.String()), by },
  head_moved: { entryId: nullable(ShortId), summaryEntryId: Type.Optional(ShortId) },
  compaction: {
    ...summary,
    entryId,
    parentId,
    firstKeptEntryId: nullable(ShortId),
    usage: Type.Optional(usage),
    ...compactionFields,
  },
  branch_summary: { ...summary, entryId, parentId, fromEntryId: ShortId },
  context_edit: { targetEntryId: ShortId, replacement: Type.Union([message, Type.Null()]) },
  snapshot_taken: {
    snapshot: Type.String(),
    moment: stringEnum(['before', 'after']),
    files: Type.Optional(Count),
    notKept: Type.Optional(Count),
  },
  files_restored: {
    toEntryId: nullable(ShortId),
    paths: Type.Array(Type.String()),
    snapshotBefore: Type.Optional(Type.String()),
    kept: Type.Optional(Type.Array(FileReason)),
  },
  auto_retry: retry,
  model_fallback: retry,
  // by `client`: a shell command of the user (`user_bash`), which belongs to no tool call
  job_start: {
    jobId: ShortId,
    toolCallId: Type.Optional(ToolCallId),
    command: Type.String(),
    excludeFromContext: Type.Optional(Type.Boolean()),
    by,
  },
  job_update: { jobId: ShortId, content: Type.String(), offset: Count },
  // `message`: of a user's shell command; it enters the conversation at once, or at the end of the current turn
  job_end: {
    jobId: ShortId,
    exitCode: nullable(Type.Integer()),
    durationMs: Type.Number(),
    message: Type.Optional(message),
  },
  ui_request: {
    requestId: RequestId,
    kind: stringEnum(['approval', 'confirm', 'select', 'input', 'notify']),
    source: Type.String(),
    text: Type.String(),
    options: Type.Optional(Type.Array(Type.String())),
    timeoutMs: Type.Optional(Type.Number()),
    toolCallId: Type.Optional(ToolCallId),
    tool: Type.Optional(Type.String()),
    args: Type.Optional(Type.Unknown()),
    diff: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
    choices: Type.Optional(Type.Array(stringEnum(['once', 'session', 'project', 'deny']))),
    // the outcome if no client answers; absent: see `defaultOutcome`
    default: Type.Optional(Type.Unknown()),
  },
  // `outcome` is one of an approval's `choices`, true or false (`confirm`), one of the `options` or null (`select`), a
  // text or null (`input`), null (`notify`); `text` explains a denial to the model
  ui_resolved: {
    requestId: RequestId,
    outcome: Type.Unknown(),
    text: Type.Optional(Type.String()),
    by: stringEnum(['client', 'timeout', 'default', 'recovery']),
    client: Type.Optional(Type.String()),
  },
  ...featureFields,
  custom: { customType: Type.String(), data: Type.Unknown() },
  status: notice,
  warning: notice,
  error: notice,
} as const

type Fields = typeof fields
type EventSchemas = { readonly [Name in keyof Fields]: NamedObject<Name, Fields[Name]> }

/** One schema per event type, looked up by `type`; each has the `$id` `event_<type>`. */
export const eventSchemas = Object.fromEntries(
  Object.entries(fields).map(([name, properties]) => [
    name,
    Type.Object({ type: Type.Literal(name), ...properties }, { $id: `event_${name}` }),
  ]),
) as unknown as EventSchemas // `Object.fromEntries` loses which key has which value

export type EventType = keyof Fields
type EventOf<Name extends EventType> = Readonly<Static<EventSchemas[Name]>>
/** Any event; `event.type` narrows it. */
export type AgentEvent = { [Name in EventType]: EventOf<Name> }[EventType]
/** The event of one type: `EventNamed<'turn_end'>`. */
export type EventNamed<Name extends EventType> = EventOf<Name>

const transient = new Set<string>(
  ['message_update', 'tool_execution_update', 'job_update', 'compaction_progress', 'status', 'mcp_status', 'surface'] satisfies EventType[], // prettier-ignore
)

/** True for events that are numbered and written to the log; false for live-only events. */
export function isDurable(event: AgentEvent): boolean {
  const { type } = event
  return type !== 'message_update' && !transient.has(type) // `message_update` is nearly every event
}
