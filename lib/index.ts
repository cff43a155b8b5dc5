// The library: everything of `rxpi/core`, sessions on this machine, and the built-in tools.
export * from './core.ts'
export { createSession } from './session/create-session.ts'
export type { CreateSessionOptions } from './session/create-session.ts'
export { builtInTools, tools } from './tools/index.ts'
