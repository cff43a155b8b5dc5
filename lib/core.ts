// What needs no Node module: the nouns, the session on ports of your own, and nothing that touches a disk or a process.
export { proxy } from './providers/proxy.ts'
export type { ProxyOptions } from './providers/proxy.ts'
export { openSession } from './session/open-session.ts'
export type { SessionOptions, SessionParts } from './session/session-parts.ts'
export type { ReadFrom, Session, SessionCommand, SessionCommandType } from './session/session.ts'
export type { AgentContext, ContextTransform } from './streams/agent-context.ts'
export type { ApprovalRequest, Approve, Decision } from './streams/approve.ts'
export { behavior } from './streams/behavior.ts'
export type { Behavior, BehaviorHandle } from './streams/behavior.ts'
export type { BashExecutionMessage } from './streams/bash-execution.ts'
export { commandSchemas, resultSchemas } from './streams/command.ts'
export type { Command, CommandNamed, CommandType, ResultOf } from './streams/command.ts'
export { contextMessages } from './streams/context-messages.ts'
export { defineTool } from './streams/define-tool.ts'
export type { AssistantDelta, BlockDelta, MessageDelta } from './streams/delta.ts'
export { eventSchemas, isDurable } from './streams/event.ts'
export type { AgentEvent, EventNamed, EventType, TerminationReason } from './streams/event.ts'
export { Failure, failureTable } from './streams/failure.ts'
export type { FailureCode, FailureData, ProviderFailureKind } from './streams/failure.ts'
export { foldMessage } from './streams/fold-message.ts'
export { branch, emptySession, foldSession, transcript } from './streams/fold-session.ts'
export type { Entry, QueuedInput, RunningTool, SessionState, SummaryNode } from './streams/fold-session.ts'
export { fromAbortable } from './streams/from-abortable.ts'
export { fromReadable } from './streams/from-readable.ts'
export { fromSignal } from './streams/from-signal.ts'
export type {
  AfterTurnHookInput,
  BeforeToolCallAnswer,
  BeforeTurnHookInput,
  Hooks,
  ToolCallHookInput,
} from './streams/hooks.ts'
export { inbox } from './streams/inbox.ts'
export type { Inbox } from './streams/inbox.ts'
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
} from './streams/message.ts'
export { noUsage } from './streams/message.ts'
export { messageText } from './streams/message-text.ts'
export type { Model } from './streams/model.ts'
export { outputCheck } from './streams/checked-output.ts'
export type { CheckedOutput } from './streams/checked-output.ts'
export type { OutputSchema } from './streams/output-schema.ts'
export type { Provider, ProviderModel, ProviderRequest } from './streams/provider.ts'
export { schemas } from './streams/schemas.ts'
export { scope } from './streams/scope.ts'
export type { Scope } from './streams/scope.ts'
export type { SessionLog, SessionStore } from './streams/session-log.ts'
export type { SessionRecord } from './streams/session-record.ts'
export type { Summariser, SummaryRequest } from './streams/summariser.ts'
export type { ThinkingLevel } from './streams/thinking-level.ts'
export { errorResult, textResult } from './streams/tool.ts'
export type { AnyTool, Capability, Tool, ToolContext, ToolProgress, ToolResult } from './streams/tool.ts'
export type { ShellEnd, ShellOutput, UserShell } from './streams/user-shell.ts'
