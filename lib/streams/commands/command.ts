// Every function of the command line and the UI is one of these commands; each has a schema for its fields and one for its result.
import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import { Count, RequestId, SessionId, ShortId } from '../values/identifiers.ts'
import { authParameters, authResults } from './auth-commands.ts'
import { clientName } from '../values/limits.ts'
import { configParameters, configResults } from './config-commands.ts'
import { channelParameters, channelResults, offeredTools } from './workspace-commands.ts'
import type { EventNamed, FailureShape } from '../events/event.ts'
import { storedSessionParameters, storedSessionResults } from './stored-session-commands.ts'
import { SessionHeader } from '../log/log-line.ts'
import type { NamedObject } from '../schema/schema-helpers.ts'
import { Queued } from '../state/session-status.ts'
import { UserPart } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import { modelParameters, modelResults } from './model-commands.ts'
import { nullable } from '../schema/schema-helpers.ts'
import { runParameters, runResults } from './run-commands.ts'
import { serverParameters, serverResults } from './server-commands.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { surroundings } from './surroundings.ts'
import { thinkingLevels } from '../models/thinking-level.ts'
import { titleLimit } from '../values/limits.ts'
import { workspaceParameters, workspaceResults } from './workspace-commands.ts'

const session = SessionId
const title = Type.String({ maxLength: titleLimit })
const requestId = RequestId
const header = Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader'))
const model = Type.Unsafe<Model>(Type.Ref('Model'))
const queue = stringEnum(['steering', 'followUp'])
const queueMode = stringEnum(['one-at-a-time', 'all'])

/** What is asked of a session when it is opened. */
const setup = {
  ...surroundings,
  model: Type.Optional(Type.String({ minLength: 1 })),
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
  tools: Type.Optional(Type.Array(Type.String())),
  /** Replaces the system prompt. */
  system: Type.Optional(Type.String()),
  /** True: the run that is on ends, `client_disconnected`, when the last client that opened or attached to it has gone. */
  endWithLastClient: Type.Optional(Type.Boolean()),
}
const opened = {
  session,
  header,
  model,
  /** Lines for people: what was chosen for them and why. */
  notices: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  /** Why it takes no command that writes. */
  readOnly: Type.Optional(Type.Unsafe<FailureShape>(Type.Ref('FailureShape'))),
}

/** `force` loses also what others than the agent have changed; without it such files are an error that names them. */
const restoring = { dryRun: Type.Optional(Type.Boolean()), force: Type.Optional(Type.Boolean()) }
const reasons = Type.Optional(Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })))
/**
 * Where files were to be put back: `paths` are those that were, or would be; `kept` stay as they are. `changes` and
 * `conflicts` (what needs `force`) are told by a dry run alone. 1,000 of each at most.
 */
const restored = {
  paths: Type.Optional(Type.Array(Type.String())),
  kept: reasons,
  changes: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), change: stringEnum(['replace', 'create', 'remove']) })),
  ),
  conflicts: reasons,
}

const parameters = {
  hello: { client: Type.Optional(Type.String({ pattern: clientName })), ui: Type.Optional(Type.Boolean()) },
  /** A new session for `cwd`; `store: false` keeps it in memory only. */
  new_session: { ...setup, store: Type.Optional(Type.Boolean()), title: Type.Optional(title) },
  /** A session by id, or without one the latest of `cwd`. */
  open_session: { ...setup, session: Type.Optional(session) },
  /**
   * With `after` or `tail` the log first, then `caught_up`, then live; with neither live only. `joinMs`: milliseconds over
   * which pieces of text and of output are joined; default 0, none.
   */
  attach: {
    session,
    after: Type.Optional(Count),
    tail: Type.Optional(Count),
    deltas: Type.Optional(Type.Boolean()),
    joinMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    tools: Type.Optional(offeredTools),
  },
  ...runParameters,
  /** The next request goes to this model; a run that is on changes with it. */
  set_model: { session, model: Type.String({ minLength: 1 }) },
  set_thinking_level: { session, thinkingLevel: stringEnum(thinkingLevels) },
  /** By name, out of those that are registered. */
  set_active_tools: { session, tools: Type.Array(Type.String(), { maxItems: 1_000 }) },
  set_queue_mode: { session, queue, mode: queueMode },
  /**
   * The head moves to an entry (null: before the first), and what comes next grows from there. `restoreFiles` puts back what
   * runs have changed of the files since; `dryRun` only tells what would be done.
   */
  branch_session: {
    session,
    entryId: nullable(ShortId),
    /** A session of its own is made of the entries up to there instead, and this one stays as it is. */
    newFile: Type.Optional(Type.Boolean()),
    /** The branch that is left is summarised first, and the new one begins with that. */
    summarise: Type.Optional(Type.Boolean()),
    restoreFiles: Type.Optional(Type.Boolean()),
    ...restoring,
  },
  /** '' takes its title away. */
  rename_session: { session, title },
  /** A name for an entry; null takes it away. */
  set_label: { session, entryId: ShortId, label: nullable(Type.String({ maxLength: 200 })) },
  /** Conversation and files as before the last run of the branch. */
  undo: { session, ...restoring },
  /**
   * Answers a `ui_request`; the first answer counts. Of clients that said `hello {ui: true}` only. `outcome` is one of an
   * approval's `choices`, true or false (`confirm`), one of the `options` or null (`select`), a text or null (`input`);
   * `text` goes with `deny` and is told to the model.
   */
  ui_response: { session, requestId, outcome: Type.Unknown(), text: Type.Optional(Type.String({ maxLength: 65_536 })) },
  ...workspaceParameters,
  /** Ends the attachment of this connection; the session goes on. */
  detach: { session },
  /** Ends a request of this connection that is not answered yet, not the run it started. */
  cancel: { target: Type.String({ minLength: 1, maxLength: 128 }) },
  /** One tool call by hand, without a session. */
  run_tool: { ...surroundings, name: Type.String({ minLength: 1 }), args: Type.Record(Type.String(), Type.Unknown()) },
  ...storedSessionParameters,
  ...serverParameters,
  ...channelParameters,
  ...authParameters,
  ...configParameters,
  ...modelParameters,
  /** What works here. */
  doctor: { ...surroundings, model: Type.Optional(Type.String({ minLength: 1 })) },
}

const results = {
  hello: {},
  new_session: opened,
  open_session: opened,
  attach: {
    channel: Count,
    head: Count,
    headEntryId: nullable(ShortId),
    header,
    queue: Type.Array(Queued),
    /** What people were asked and nobody has answered yet. */
    requests: Type.Array(Type.Unsafe<EventNamed<'ui_request'>>(Type.Ref('event_ui_request'))),
  },
  ...runResults,
  set_model: { model },
  set_thinking_level: {},
  set_active_tools: {},
  set_queue_mode: {},
  /** `session` is the new one's, with `newFile`. */
  branch_session: { headEntryId: nullable(ShortId), session: Type.Optional(session), ...restored },
  rename_session: {},
  set_label: {},
  /** `headEntryId`: where the conversation goes on from. */
  undo: { headEntryId: nullable(ShortId), ...restored },
  ui_response: {},
  ...workspaceResults,
  detach: {},
  /** False where no such request waits for an answer. */
  cancel: { cancelled: Type.Boolean() },
  run_tool: {
    content: Type.Array(UserPart),
    details: Type.Optional(Type.Unknown()),
    isError: Type.Boolean(),
  },
  ...storedSessionResults,
  ...serverResults,
  ...channelResults,
  ...authResults,
  ...configResults,
  ...modelResults,
  replay_session: opened,
  /** `required: false`: rxpi works without it, only less well. */
  doctor: {
    checks: Type.Array(
      Type.Object({ name: Type.String(), ok: Type.Boolean(), required: Type.Boolean(), message: Type.String() }),
    ),
  },
}

export type CommandType = keyof typeof parameters
type Parameters = typeof parameters
type Results = typeof results
type CommandSchemas = { readonly [Name in CommandType]: NamedObject<Name, Parameters[Name]> }
type ResultSchemas = { readonly [Name in CommandType]: TObject<Results[Name]> }

/** One schema per command, looked up by `type`; each has the `$id` `command_<type>`. */
export const commandSchemas = Object.fromEntries(
  Object.entries(parameters).map(([name, properties]) => [
    name,
    Type.Object({ type: Type.Literal(name), ...properties }, { $id: `command_${name}` }),
  ]),
) as unknown as CommandSchemas // Object.fromEntries forgets which key has which value

/** The schema of each command's result. */
export const resultSchemas = Object.fromEntries(
  Object.entries(results).map(([name, properties]) => [name, Type.Object(properties, { $id: `result_${name}` })]),
) as unknown as ResultSchemas // as above

/** A command of one type, its fields flat beside `type`. */
export type CommandNamed<Name extends CommandType> = Static<CommandSchemas[Name]>
/** What the command of one type is answered with. */
export type ResultOf<Name extends CommandType> = Static<ResultSchemas[Name]>
/** Any command. */
export type Command = { [Name in CommandType]: CommandNamed<Name> }[CommandType]

/** What every request has beside its command's fields (docs/protocol.md#requests). */
export const RequestEnvelope = Type.Object(
  {
    v: Type.Optional(Type.Literal(1)),
    id: Type.String({ minLength: 1, maxLength: 128 }),
    type: Type.String({ minLength: 1, maxLength: 64 }),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    opId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  },
  { $id: 'RequestEnvelope' },
)
export type RequestEnvelope = Static<typeof RequestEnvelope>
