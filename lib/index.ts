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
export type { AgentState } from './session/agent-state.ts'
export { createAgent } from './session/create-agent.ts'
export type { Agent, PromptOptions } from './session/create-agent.ts'
export type { AuthStorage, StoredKey } from './streams/auth-storage.ts'
export type { GetApiKey } from './streams/get-api-key.ts'
export { createSession } from './session/create-session.ts'
export type { CreateSessionOptions, ModelRegistry } from './session/create-session.ts'
export type { RunResult } from './session/run-results.ts'
export { builtInTools, tools } from './tools/index.ts'
