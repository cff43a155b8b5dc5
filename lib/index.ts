// The library: everything of `rxpi/core`, sessions on this machine, and the built-in tools.
export * from './core.ts'
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
export { commandFolders, createPromptCommands, instructions$ } from './context/index.ts'
export type { InstructionSet, InstructionsOptions } from './context/index.ts'
export { builtInTools, tools } from './tools/index.ts'
