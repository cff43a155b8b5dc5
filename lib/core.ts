// Exports of `rxpi/core`, which needs no Node module.
// Types, schemas, folds, and a session on ports of your own.
export { proxy } from './providers/proxy/proxy.ts'
export type { ProxyOptions } from './providers/proxy/proxy.ts'
export { openSession } from './session/create/open-session.ts'
export type { SessionOptions, SessionParts } from './session/contract/session-parts.ts'
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
  ToolCallHookInput,
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
export { errorResult, textResult } from './streams/ports/tool.ts'
export type { AnyTool, Capability, Tool, ToolContext, ToolProgress, ToolResult } from './streams/ports/tool.ts'
export type { ShellEnd, ShellOutput, UserShell } from './streams/ports/user-shell.ts'
