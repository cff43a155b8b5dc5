// The exports of this room for the server.
export { createServerBackend } from './backend/create-server-backend.ts'
export { machineCommands } from './backend/machine-commands.ts'
export { createProgramBackend } from './backend/program-backend.ts'
export type {
  ListedSession,
  OpeningCommand,
  ProgramSessionOptions,
  ProgramSessions,
  SessionOptionsOf,
} from './contract/program-sessions.ts'
export { endOrphans } from '../host/process/end-orphans.ts'
export { watchMainThread } from '../host/process/watch-main-thread.ts'
export { keysOfStart } from './auth/keys-of-start.ts'
export { proxySetup } from './proxy/proxy-setup.ts'
export { gatewayToken, mcpToken } from './proxy/proxy-token.ts'
