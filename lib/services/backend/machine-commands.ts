// Lists the commands that belong to a machine: a server of a program's own sessions refuses them.
import type { CommandType } from '../../streams/commands/command.ts'
import { Failure } from '../../streams/values/failure.ts'

/** The commands that this backend cannot answer; those of an open session, and of the connection, are not among them. */
export const machineCommands = [
  'replay_session',
  'run_tool',
  'find_files',
  'get_diff',
  'switch_session',
  'delete_session',
  'get_tree',
  'get_entries',
  'get_context',
  'get_stats',
  'get_blob',
  'import_session',
  'export_session',
  'verify_session',
  'repair_session',
  'list_models',
  'update_models',
  'auth_set',
  'auth_list',
  'auth_remove',
  'auth_verify',
  'auth_login',
  'auth_login_wait',
  'auth_login_input',
  'auth_login_cancel',
  'auth_accounts',
  'auth_logout',
  'config_list',
  'config_get',
  'config_set',
  'policy_explain',
  'policy_import',
  'policy_audit',
  'import_pi',
  'extension_list',
  'extension_trust',
  'extension_kill',
  'extension_audit',
  'package_install',
  'package_list',
  'package_remove',
  'package_update',
  'mcp_list',
  'mcp_show',
  'mcp_add',
  'mcp_remove',
  'mcp_test',
  'mcp_logs',
  'mcp_restart',
  'mcp_import',
  'trust_folder',
  'doctor',
] as const satisfies readonly CommandType[]

/** A command that a server with a program's sessions refuses. */
export function refusedCommand(command: CommandType): Failure {
  return new Failure('bad_request', `This server does not answer ${command}: a program serves its own sessions here`)
}
