// Handles the commands about MCP servers.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed, CommandType, ResultOf } from '../../streams/commands/command.ts'
import type { Answer, RequestContext } from './request-context.ts'

type Handler<Name extends CommandType> = (
  command: CommandNamed<Name>,
  context: RequestContext,
) => Observable<Answer<ResultOf<Name>>>

export const mcpHandlers = {
  mcp_list: ({ type, ...command }, { backend }) => backend.mcp.list(command).pipe(map((result) => ({ result }))),
  mcp_show: ({ type, ...command }, { backend }) => backend.mcp.show(command).pipe(map((result) => ({ result }))),
  mcp_add: ({ type, ...command }, { backend }) => backend.mcp.add(command).pipe(map((result) => ({ result }))),
  mcp_remove: ({ type, ...command }, { backend }) => backend.mcp.remove(command).pipe(map((result) => ({ result }))),
  mcp_test: ({ type, ...command }, { backend }) => backend.mcp.test(command).pipe(map((result) => ({ result }))),
  mcp_logs: ({ type, ...command }, { backend }) => backend.mcp.logs(command).pipe(map((result) => ({ result }))),
  mcp_login: ({ type, ...command }, { backend }) => backend.mcp.login(command).pipe(map((result) => ({ result }))),
  mcp_logout: ({ type, ...command }, { backend }) => backend.mcp.logout(command).pipe(map((result) => ({ result }))),
  mcp_restart: ({ type, ...command }, { backend }) => backend.mcp.restart(command).pipe(map((result) => ({ result }))),
  mcp_import: ({ type, ...command }, { backend }) =>
    backend.mcp.importServers(command).pipe(map((result) => ({ result }))),
} satisfies { readonly [Name in CommandType]?: Handler<Name> }
