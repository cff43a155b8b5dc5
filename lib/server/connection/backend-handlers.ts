// Handles the commands about accounts and MCP servers, which the backend of the server answers.
import type { CommandType } from '../../streams/commands/command.ts'
import { respond } from './request-context.ts'
import type { Handler } from './request-context.ts'

export const accountHandlers = {
  auth_login: ({ type, ...command }, { backend }) => respond(backend.accounts.login(command)),
  auth_login_wait: ({ type, ...command }, { backend }) => respond(backend.accounts.wait(command)),
  auth_login_input: ({ type, ...command }, { backend }) => respond(backend.accounts.input(command)),
  auth_login_cancel: ({ type, ...command }, { backend }) => respond(backend.accounts.cancel(command)),
  auth_accounts: (_command, { backend }) => respond(backend.accounts.accounts()),
  auth_logout: ({ type, ...command }, { backend }) => respond(backend.accounts.logout(command)),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }

export const mcpHandlers = {
  mcp_list: ({ type, ...command }, { backend }) => respond(backend.mcp.list(command)),
  mcp_show: ({ type, ...command }, { backend }) => respond(backend.mcp.show(command)),
  mcp_add: ({ type, ...command }, { backend }) => respond(backend.mcp.add(command)),
  mcp_remove: ({ type, ...command }, { backend }) => respond(backend.mcp.remove(command)),
  mcp_test: ({ type, ...command }, { backend }) => respond(backend.mcp.test(command)),
  mcp_logs: ({ type, ...command }, { backend }) => respond(backend.mcp.logs(command)),
  mcp_login: ({ type, ...command }, { backend }) => respond(backend.mcp.login(command)),
  mcp_logout: ({ type, ...command }, { backend }) => respond(backend.mcp.logout(command)),
  mcp_restart: ({ type, ...command }, { backend }) => respond(backend.mcp.restart(command)),
  mcp_import: ({ type, ...command }, { backend }) => respond(backend.mcp.importServers(command)),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }
