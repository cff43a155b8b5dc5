// Exports of `rxpi/core`, which needs no Node module.
// Types, schemas, folds, and a session on ports of your own.
export { proxy } from './providers/proxy/proxy.ts'
export type { ProxyOptions } from './providers/proxy/proxy.ts'
export { openSession } from './session/create/open-session.ts'
export type { SessionOptions, SessionParts } from './session/contract/session-parts.ts'
export type { SessionServers } from './session/contract/servers-port.ts'
export type { SessionRoles } from './session/roles/roles-port.ts'
export type { ModelChoiceByName, RoleChoice } from './session/roles/role-choice.ts'
export type { ModelRole } from './streams/config/model-roles.ts'
export type {
  ReadFrom,
  RunPromptOptions,
  Session,
  SessionCommand,
  SessionCommandType,
} from './session/contract/session.ts'
export type { AgentContext, ContextTransform } from './streams/ports/agent-context.ts'
export type { ApprovalRequest, Approve, Decision } from './streams/ports/hooks.ts'
export { behavior } from './streams/rx/behavior.ts'
export type { Behavior, BehaviorHandle } from './streams/rx/behavior.ts'
export type { BashExecutionMessage } from './streams/messages/bash-execution.ts'
export { commandSchemas, resultSchemas } from './streams/commands/command.ts'
export type { Command, CommandNamed, CommandType, ResultOf } from './streams/commands/command.ts'
export { custom } from './streams/events/custom-event.ts'
export { contextMessages } from './streams/state/context-messages.ts'
export { defineTool } from './streams/tool-definition/define-tool.ts'
export type { DefinedTool, ToolSpec } from './streams/tool-definition/define-tool.ts'
export type { ArgumentsOf, JsonSchemaObject, ToolParameters } from './streams/tool-definition/schema-arguments.ts'
export type { StandardSchema } from './streams/tool-definition/standard-schema.ts'
export type { AssistantDelta, BlockDelta, MessageDelta } from './streams/messages/delta.ts'
export { eventSchemas, isDurable } from './streams/events/event.ts'
export type { AgentEvent, EventNamed, EventType, TerminationReason } from './streams/events/event.ts'
export { Failure, failureTable } from './streams/values/failure.ts'
export type { FailureCode, FailureData, ProviderFailureKind } from './streams/values/failure.ts'
export { foldMessage } from './streams/messages/fold-message.ts'
export { branch, emptySession, foldSession, transcript } from './streams/state/fold-session.ts'
export type { Entry, QueuedInput, RunningTool, SessionState, SummaryNode } from './streams/state/fold-session.ts'
export { fromAbortable } from './streams/rx/from-abortable.ts'
export { fromReadable } from './streams/rx/from-readable.ts'
export { fromSignal } from './streams/rx/from-signal.ts'
export type {
  AfterTurnHookInput,
  BeforeToolCallAnswer,
  BeforeTurnHookInput,
  Hooks,
  InputAnswer,
  InputHookInput,
  LeaveAnswer,
  LeaveStep,
  RunEndAnswer,
  RunEndHookInput,
  ToolCallHookInput,
  UserCommandAnswer,
  UserCommandInput,
} from './streams/ports/hooks.ts'
export { inbox } from './streams/rx/inbox.ts'
export type { Inbox } from './streams/rx/inbox.ts'
export type {
  AssistantMessage,
  CustomMessages,
  ImageContent,
  Message,
  TextContent,
  ThinkingContent,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from './streams/messages/message.ts'
export { noUsage } from './streams/messages/message.ts'
export { outputOf } from './streams/tool-definition/tool-output.ts'
export { tokenUsage } from './streams/models/price-usage.ts'
export { messageText } from './streams/messages/message-text.ts'
export type { Model } from './streams/models/model.ts'
export { outputCheck } from './streams/messages/checked-output.ts'
export type { CheckedOutput } from './streams/messages/checked-output.ts'
export type { OutputSchema } from './streams/messages/output-schema.ts'
export type { ContextNotes, ContextUpdate } from './streams/ports/context-notes.ts'
export type { ContextMessage } from './streams/messages/context-message.ts'
export type { PromptSection, PromptSections, PromptTransform } from './streams/ports/prompt-sections.ts'
export type { Provider, ProviderModel, ProviderRequest } from './streams/ports/provider.ts'
export { schemas } from './streams/validation/schemas.ts'
export { scope } from './streams/rx/scope.ts'
export type { Scope } from './streams/rx/scope.ts'
export type { SessionLog, SessionStore } from './streams/ports/session-log.ts'
export type { SessionRecord } from './streams/log/log-line.ts'
export type { Summariser, SummaryRequest } from './streams/ports/agent-context.ts'
export type { ThinkingLevel } from './streams/models/model.ts'
export type { Locks } from './streams/ports/locks.ts'
export { memoryLog } from './streams/memory/memory-log.ts'
export type { MemoryLogOptions } from './streams/memory/memory-log.ts'
export { memoryStore } from './streams/memory/page-memory-store.ts'
export type { MemoryStoreOptions } from './streams/memory/create-memory-store.ts'
export { writeAhead } from './streams/memory/write-ahead.ts'
export type { SaveLine } from './streams/memory/write-ahead.ts'
export type { CreateToolSearch, SearchableTools } from './streams/tool-definition/tool-search.ts'
export { toolValidator } from './streams/tool-definition/tool-validator.ts'
export { errorResult, progress, textResult } from './streams/ports/tool.ts'
export type { AnyTool, Capability, McpToolSource, PlanAnswer, StreamTool, Tool } from './streams/ports/tool.ts'
export type { ToolContext, ToolDefinition, ToolOrigin, ToolOutput, ToolProgress } from './streams/ports/tool.ts'
export type { ToolResult, WorkingContext } from './streams/ports/tool.ts'
export type { ShellEnd, ShellOutput, UserShell } from './streams/ports/user-shell.ts'

// Types that the signatures above name; test/docs/exported-types.test.ts holds the list complete.
export type { BranchToCopy, CopiedBranch } from './session/contract/session-parts.ts'
export type { ExtensionModels, Offer, OfferTools } from './session/contract/session.ts'
export type { ToolList, UnpromptedChange } from './session/contract/tool-list-port.ts'
export type { NextRequest } from './streams/commands/context-commands.ts'
export type { Permissions } from './streams/config/permissions.ts'
export type { ScriptedAnswer, ScriptedCall, ScriptedError } from './streams/config/script-file.ts'
export type { ModelsProvider, ModelsFile, RunLimits, Settings } from './streams/config/settings.ts'
export type { BlobEncoding, BlobReference, Blobs } from './streams/log/blobs.ts'
export type { PendingRecord, SessionHeader } from './streams/log/log-line.ts'
export type { PieceDelta } from './streams/messages/delta.ts'
export type { InnerCall } from './streams/messages/inner-call.ts'
export type { AssistantContent, Invocation, StopReason, UserContent } from './streams/messages/message.ts'
export type { ModelPrices } from './streams/models/model.ts'
export type { Summary, SummaryProgress } from './streams/ports/agent-context.ts'
export type { Answer, Ask, Question } from './streams/ports/ask.ts'
export type {
  DrawOptions,
  PressedKey,
  ScreenSize,
  SurfaceKey,
  SurfaceKeyAnswer,
  SurfacePlacement,
  Surfaces,
} from './streams/surfaces/surfaces.ts'
export type { AccountFileEntry } from './streams/accounts/accounts-file-schema.ts'
export type {
  AccountProblem,
  AccountChange,
  AccountFacts,
  AccountSource,
  AccountStorage,
  AccountToStore,
  AccountTokens,
  AccountWasStored,
  StoredAccount,
} from './streams/accounts/account-storage.ts'
export type { KeyToStore, KeyWasStored, WritableAuthStorage } from './streams/ports/auth-storage.ts'
export type { ContextInPrompt, ContextNote, ContextProblem } from './streams/ports/context-notes.ts'
export type { HookAnswer } from './streams/ports/hooks.ts'
export type { JobInfo, JobInput, JobOutput, JobQuery, JobReader, JobStart, Jobs } from './streams/ports/jobs.ts'
export type { ToolLocks } from './streams/ports/locks.ts'
export type {
  ApprovalMode,
  PatternScope,
  Policy,
  PolicyAnswer,
  PolicyPhase,
  PolicyRequest,
  PolicyVerdict,
  Tier,
} from './streams/ports/policy.ts'
export type {
  CommandOutcome,
  CommandProblem,
  ExpandedPrompt,
  InstalledTexts,
  PackageTexts,
  PackageTheme,
  PromptCommand,
  PromptCommands,
} from './streams/ports/prompt-commands.ts'
export type { ToolChoice } from './streams/ports/provider.ts'
export type {
  ConfinedEnd,
  ConfinedEvent,
  ConfinedFailure,
  ConfinedIntruders,
  ConfinedOutput,
  ConfinedProcess,
  ConfinedProgram,
  ConfinedTool,
  FenceAccess,
  FenceRefusal,
  FenceZone,
  FencedPath,
  PathFence,
  RefusedConnection,
  SandboxProfileName,
  SessionSandbox,
} from './streams/ports/sandbox.ts'
export type { ClientFiles, FilesOffer } from './streams/environment/file-exchange.ts'
export type {
  ClientTerminal,
  ClientTerminals,
  TerminalCommand,
  TerminalExit,
  TerminalOutput,
  TerminalsOffer,
} from './streams/environment/terminal-exchange.ts'
export type {
  PhaseRules,
  PhaseStop,
  PhaseTransition,
  Scenario,
  ScenarioList,
  ScenarioPhase,
  Scenarios,
} from './streams/ports/scenarios.ts'
export type { Redaction, Secrets, TextRedactor } from './streams/ports/secrets.ts'
export type {
  FollowedLog,
  KilledWriter,
  LogWriter,
  NewHeader,
  OpenOptions,
  OpenWarning,
  OpenedLog,
  RestedSession,
  StateSnapshot,
} from './streams/ports/session-log.ts'
export type {
  ComparedFile,
  ComparedFiles,
  FileChange,
  FileReason,
  RestorePlan,
  RestoreRequest,
  RestoredFiles,
  SnapshotPair,
  SnapshotSkipped,
  SnapshotTaken,
  Snapshots,
  TakeOptions,
} from './streams/ports/snapshots.ts'
export type { ToolDiscoverySetting } from './streams/config/tool-discovery-setting.ts'
export type { ShellContext, ShellTerminal } from './streams/ports/user-shell.ts'
export type { AbortableSource } from './streams/rx/from-abortable.ts'
export type { ReadableSource } from './streams/rx/from-readable.ts'
export type { ArgumentProblem, ArgumentsValidator } from './streams/schema/compiled-validator.ts'
export type { ContextEntry, ContextSource, ContextTree } from './streams/state/context-messages.ts'
export type { ContextChanges, ContextEdit } from './streams/state/fold-context-changes.ts'
export type { ContextState } from './streams/state/fold-context.ts'
export type { FeatureState } from './streams/state/fold-features.ts'
export type { CommandTrace, CommandTraces } from './streams/state/fold-inputs.ts'
export type { JobOutput as JobOutputState, OutputTail } from './streams/state/fold-output.ts'
export type { RunningState } from './streams/state/fold-running.ts'
export type { OpenMessage } from './streams/state/fold-session.ts'
export type { ChosenSettings, LoggedPhase } from './streams/state/fold-settings.ts'
export type { SessionStatus } from './streams/state/session-status.ts'
export type { SessionFacts } from './streams/state/session-summary.ts'
export type { JsonSchemaValue } from './streams/tool-definition/schema-arguments.ts'
export type { StandardIssue, StandardResult } from './streams/tool-definition/standard-schema.ts'
export type { FailureOptions } from './streams/values/failure.ts'
export type { Ids } from './streams/values/identifiers.ts'
