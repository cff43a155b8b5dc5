// Lists every command of the protocol with a schema for its fields and one for its result.
import { Type } from '@sinclair/typebox'
import type { Static, TObject } from '@sinclair/typebox'
import { Count, SessionId, ShortId, clientName, titleLimit } from '../values/identifiers.ts'
import { approvalParameters, approvalResults } from './approval-commands.ts'
import { credentialParameters, credentialResults } from './account-commands.ts'
import { contextParameters, contextResults } from './context-commands.ts'
import { configParameters, configResults } from './config-commands.ts'
import {
  channelParameters,
  channelResults,
  offers,
  workspaceParameters,
  workspaceResults,
} from './workspace-commands.ts'
import { extensionParameters, extensionResults } from './extension-commands.ts'
import type { EventNamed, FailureShape } from '../events/event.ts'
import { storedSessionParameters, storedSessionResults } from './stored-session-commands.ts'
import { SessionHeader } from '../log/log-line.ts'
import type { NamedObject } from '../schema/schema-helpers.ts'
import { Queued } from '../state/session-status.ts'
import { UserPart } from '../messages/message.ts'
import type { Model } from '../models/model.ts'
import { modelParameters, modelResults } from './model-commands.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'
import { approveParameter, policyParameters, policyResults, runToolParameters } from './policy-commands.ts'
import { runParameters, runResults } from './run-commands.ts'
import { serverParameters, serverResults } from './server-commands.ts'
import { setupParameters, sandboxParameter, surroundings, trustParameter } from './surroundings.ts'
import { thinkingLevels } from '../models/model.ts'

const session = SessionId
const title = Type.String({ maxLength: titleLimit })
const header = Type.Unsafe<SessionHeader>(Type.Ref('SessionHeader'))
const model = Type.Unsafe<Model>(Type.Ref('Model'))
/** Null: no model is usable, and `notices` has the reason. */
const openedModel = Type.Unsafe<Model | null>(Type.Union([Type.Ref('Model'), Type.Null()]))
const queue = stringEnum(['steering', 'followUp'])
const queueMode = stringEnum(['one-at-a-time', 'all'])

/** Fields that `new_session` and `open_session` share. */
const setup = {
  ...surroundings,
  model: Type.Optional(Type.String({ minLength: 1 })),
  thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
  tools: Type.Optional(Type.Array(Type.String())),
  ...setupParameters,
  approve: approveParameter,
  ...sandboxParameter,
  ...trustParameter,
  /**
   * True: if the last client that opened or attached to the session disconnects, the running run ends as
   * `client_disconnected`.
   */
  endWithLastClient: Type.Optional(Type.Boolean()),
  /** True: without a usable model the command fails with `no_model`, and creates nothing. */
  requireModel: Type.Optional(Type.Boolean()),
  /** True: the demo model answers if none is usable and no session of this user ever had a usable one. */
  offerDemo: Type.Optional(Type.Boolean()),
}
const opened = {
  session,
  header,
  model: openedModel,
  /** Lines for people: which defaults were chosen, and why. */
  notices: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  /** Why the session refuses commands that write. */
  readOnly: Type.Optional(Type.Unsafe<FailureShape>(Type.Ref('FailureShape'))),
}

/**
 * `force` also overwrites changes that were not made by the agent. Without it such files are an error that names them.
 */
const restoring = { dryRun: Type.Optional(Type.Boolean()), force: Type.Optional(Type.Boolean()) }
const reasons = Type.Optional(Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })))
/**
 * `paths` are the files that were restored, or would be; the files in `kept` stay as they are. Only a dry run returns
 * `changes` and `conflicts` (which need `force`). At most 1,000 of each.
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
  hello: {
    client: Type.Optional(Type.String({ pattern: clientName })),
    ui: Type.Optional(Type.Boolean()),
    /** True beside `ui: true`: this client shows and answers `question` events too. */
    questions: Type.Optional(Type.Boolean()),
  },
  /** Creates a session for `cwd`; `store: false` keeps it in memory only. */
  new_session: { ...setup, store: Type.Optional(Type.Boolean()), title: Type.Optional(title) },
  /** Opens a session by id; without an id, the latest session of `cwd`. */
  open_session: { ...setup, session: Type.Optional(session) },
  /**
   * With `after` or `tail`: the log first, then `caught_up`, then live events. With neither: live events only.
   * `joinMs`: milliseconds over which pieces of text and output are joined; default 0, none.
   */
  attach: {
    session,
    after: Type.Optional(Count),
    tail: Type.Optional(Count),
    deltas: Type.Optional(Type.Boolean()),
    joinMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
    ...offers,
  },
  ...runParameters,
  /** Sets the model of the next request, also within a running run. */
  set_model: { session, model: Type.String({ minLength: 1 }) },
  set_thinking_level: { session, thinkingLevel: stringEnum(thinkingLevels) },
  /** Selects tools by name from the registered ones. */
  set_active_tools: { session, tools: Type.Array(Type.String(), { maxItems: 1_000 }) },
  set_queue_mode: { session, queue, mode: queueMode },
  /**
   * Moves the head to an entry (null: before the first); new entries follow it. `restoreFiles` restores the files that
   * runs have changed since; `dryRun` only reports what would be done.
   */
  branch_session: {
    session,
    entryId: nullable(ShortId),
    /** Copies the entries up to that one into a new session, and leaves this session unchanged. */
    newFile: Type.Optional(Type.Boolean()),
    /** Summarises the branch that is left; the new branch begins with the summary. */
    summarise: Type.Optional(Type.Boolean()),
    restoreFiles: Type.Optional(Type.Boolean()),
    ...restoring,
  },
  /** An empty title removes the title. */
  rename_session: { session, title },
  /** Sets the label of an entry; null removes it. */
  set_label: { session, entryId: ShortId, label: nullable(Type.String({ maxLength: 200 })) },
  /** Restores conversation and files to the state before the last run of the branch. */
  undo: { session, ...restoring },
  ...contextParameters,
  ...approvalParameters,
  ...workspaceParameters,
  /** Detaches this connection; the session goes on. */
  detach: { session },
  /**
   * Closes the session on this server, for its log and its memory; another process may open it then. Refused (`busy`)
   * while it is at work or another client has it open.
   */
  close_session: { session },
  /** Cancels an unanswered request of this connection; a run that it started goes on. */
  cancel: { target: Type.String({ minLength: 1, maxLength: 128 }) },
  /** Runs one tool call without a session. */
  run_tool: { ...surroundings, ...runToolParameters },
  ...storedSessionParameters,
  ...serverParameters,
  ...channelParameters,
  ...credentialParameters,
  ...configParameters,
  ...modelParameters,
  ...policyParameters,
  ...extensionParameters,
  /** Checks the installation and reports what works. */
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
    /** Open questions, in order. */
    requests: Type.Array(Type.Unsafe<EventNamed<'ui_request'>>(Type.Ref('event_ui_request'))),
    /** Open questions that `ui_request` cannot ask; absent if there is none. */
    questions: Type.Optional(Type.Array(Type.Unsafe<EventNamed<'question'>>(Type.Ref('event_question')))),
  },
  ...runResults,
  set_model: { model },
  set_thinking_level: {},
  set_active_tools: {},
  set_queue_mode: {},
  /** `session` is the new session's id, if `newFile` is set. */
  branch_session: { headEntryId: nullable(ShortId), session: Type.Optional(session), ...restored },
  rename_session: {},
  set_label: {},
  /** `headEntryId`: the entry that the conversation continues from. */
  undo: { headEntryId: nullable(ShortId), ...restored },
  ...contextResults,
  ...approvalResults,
  ...workspaceResults,
  detach: {},
  /** False if it was not open on this server. */
  close_session: { closed: Type.Boolean() },
  /** False if no such request is open. */
  cancel: { cancelled: Type.Boolean() },
  run_tool: {
    content: Type.Array(UserPart),
    details: Type.Optional(Type.Unknown()),
    isError: Type.Boolean(),
  },
  ...storedSessionResults,
  ...serverResults,
  ...channelResults,
  ...credentialResults,
  ...configResults,
  ...modelResults,
  ...policyResults,
  ...extensionResults,
  replay_session: opened,
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
) as unknown as CommandSchemas // `Object.fromEntries` loses which key has which value

/** The schema of each command's result. */
export const resultSchemas = Object.fromEntries(
  Object.entries(results).map(([name, properties]) => [name, Type.Object(properties, { $id: `result_${name}` })]),
) as unknown as ResultSchemas // as above

export type CommandNamed<Name extends CommandType> = Static<CommandSchemas[Name]>
export type ResultOf<Name extends CommandType> = Static<ResultSchemas[Name]>
export type Command = { [Name in CommandType]: CommandNamed<Name> }[CommandType]

/** The fields that every request has beside its command's fields (docs/protocol.md). */
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
