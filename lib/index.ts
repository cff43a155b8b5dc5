// The library: everything of `rxpi/core`, sessions on this machine, and the built-in tools.
export * from './core.ts'
export { memoryStore } from './store/index.ts' // in place of the one for pages: it compares real folders
export { createModelRegistry, registerProvider } from './providers/index.ts'
export type {
  AnswerParts,
  DeclaredRequest,
  ModelRegistryOptions,
  ProviderDeclaration,
  RegisterProvider,
  WireRequest,
} from './providers/index.ts'
export type { AgentState } from './session/agent/create-agent.ts'
export { createAgent } from './session/agent/create-agent.ts'
export type { Agent, PromptOptions } from './session/agent/create-agent.ts'
export type { AuthStorage, StoredKey } from './streams/ports/auth-storage.ts'
export type { GetApiKey } from './streams/ports/auth-storage.ts'
export { createSession } from './session/create/create-session.ts'
export type { CreateSessionOptions, ModelRegistry } from './session/create/create-session-options.ts'
export type { RunResult } from './operators/events/run-results.ts'
export { defineExtension } from './extensions/index.ts'
export type {
  AgentStartAnswer,
  AgentStartInput,
  CompactAnswer,
  CompletionRequest,
  ExecOptions,
  ExecResult,
  ExtensionApi,
  ExtensionCommand,
  ExtensionCommandAnswer,
  ExtensionDefinition,
  ExtensionHook,
  ExtensionHookTypes,
  ExtensionManifest,
  ExtensionSession,
  ExtensionCommandType,
  ExtensionSessionCommand,
  ExtensionModelsApi,
  EventRenderer,
  ExtensionUiApi,
  HookName,
  HookOptions,
  KeyBinding,
  MessageRenderer,
  ModelRequestAnswer,
  ModelRequestInput,
  ModelResponseInput,
  OpenSurface,
  PriorityOption,
  Registration,
  RenderedResult,
  SessionStartInput,
  SessionSwitchInput,
  SurfaceComponent,
  ThemeDefinition,
  ToolRenderer,
  UserBashAnswer,
  UserCommandEnd,
} from './extensions/index.ts'
export type { RenderLeaf, RenderNode, RenderedEvent } from './streams/commands/render-commands.ts'
export type {
  ExtensionCommandName,
  ExtensionKey,
  ExtensionNotice,
  ExtensionStatus,
  ExtensionTheme,
  ExtensionUi,
  ThemeRole,
} from './streams/commands/extension-ui-commands.ts'
export { commandFolders, createPromptCommands, instructions$, loadScenarios } from './context/index.ts'
export type { ScenarioFolders } from './context/scenarios/load-scenarios.ts'
export type { InstructionSet, InstructionsOptions } from './context/index.ts'
export { builtInTools, tools } from './tools/index.ts'
export { mcpTools } from './mcp/library/mcp-tools.ts'
export type { McpToolsOptions } from './mcp/contract/mcp-tools-options.ts'
export type { McpHints, McpTool } from './mcp/contract/mcp-offer.ts'
export type { ElicitAnswer, ElicitRequest } from './mcp/contract/mcp-requests.ts'
export type { McpEntry } from './streams/config/mcp-servers.ts'
export type { CommandFolder, CommandFolders, CommandFoldersOptions } from './context/commands/command-folders.ts'
export type { FileCommands } from './context/commands/create-prompt-commands.ts'
export type { InstructionFile } from './context/instructions/instruction-file.ts'
export type { InstructionGuard } from './context/instructions/instruction-guard.ts'
export type { GuardedFolder } from './context/instructions/instruction-set.ts'
export type { Skill } from './context/skills/parse-skill.ts'
export type { Keychain } from './host/files/keychain.ts'
export type { Environment } from './host/files/paths.ts'
