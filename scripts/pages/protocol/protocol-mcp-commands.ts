// Texts of the protocol page: the commands about MCP servers.
import type { CommandGroup } from './protocol-note.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const file = '/home/ada/.config/rxpi/settings.json'
const files = { name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'], origin: 'user' }
const running = { ...files, state: 'ready', tools: 11, protocol: '2025-11-25', pid: 4711, restarts: 0 }
const errors = ['bad_config', 'storage'] as const

export const mcpCommandGroups: readonly CommandGroup[] = [
  {
    title: 'MCP servers',
    commands: {
      mcp_list: {
        does: 'Lists the MCP servers of the user’s settings and of the `.mcp.json` of the project of `cwd`, and those that clients have passed with open sessions of the folder; starts none. `state` is that of a connection that open sessions of this server have. `problem` says why no session uses a server, such as a folder that is not trusted; `trust` lists as if it was trusted. Variables of the environment and headers are listed by name.',
        errors: ['bad_config'],
        ask: workspace,
        answer: { file, project: '/home/ada/project/.mcp.json', servers: [running], problems: [] },
      },
      mcp_show: {
        does: 'The row of one server, as in `mcp_list`.',
        errors: ['bad_config'],
        ask: { ...workspace, server: 'files' },
        answer: { file, server: running },
      },
      mcp_add: {
        does: 'Writes an entry of `mcpServers` into the user’s settings; sessions that open later use it. `entry` has the form of the settings. An entry of this name is refused (`bad_request`) unless `replace` is set.',
        errors,
        ask: { ...workspace, server: 'files', entry: { command: 'npx', args: files.args } },
        answer: { file, server: files },
      },
      mcp_remove: {
        does: 'Removes an entry of the user’s settings. Open sessions keep the server.',
        errors,
        ask: { ...workspace, server: 'files' },
        answer: { file },
      },
      mcp_test: {
        does: 'Starts a server for itself, reads its lists, and ends it. A server that does not answer is a result with `state: "failed"`. `notices` names tools that were left out.',
        errors: ['bad_config'],
        ask: { ...workspace, server: 'files' },
        answer: { server: 'files', state: 'ready', protocol: '2025-11-25', title: 'secure-filesystem-server 0.2.0', tools: [{ name: 'read_text_file', description: 'Reads a file.' }], resources: 0, prompts: 0, durationMs: 812, notices: [] },
      },
      mcp_login: {
        does: 'Begins a sign-in to a server at an address, in the list of the sign-ins to accounts: `auth_login_wait`, `auth_login_input` and `auth_login_cancel` go on with it. With its success the connections of open sessions begin anew. Refused (`bad_request`) for a program, and for a server with `oauth: false`.',
        errors: ['bad_config', 'busy'],
        ask: { ...workspace, server: 'notes' },
        answer: { login: { loginId: 'k3p7q2wd', provider: 'mcp:notes', title: 'the MCP server notes (mcp.example.com)', method: 'browser', revision: 0, step: 'starting' } },
      },
      mcp_logout: {
        does: 'Removes the account at a server from this machine. Refused (`bad_request`) if none is stored.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, server: 'notes' },
        answer: { removed: 1 },
      },
      mcp_logs: {
        does: 'Returns the last 64 KiB that a server of open sessions wrote to standard error, by line. Empty if none runs.',
        errors: [],
        ask: { server: 'files' },
        answer: { lines: ['Secure MCP Filesystem Server running on stdio'] },
      },
      mcp_restart: {
        does: 'Connects a server of open sessions anew, also after it was given up. Refused (`bad_request`) if no session uses it.',
        errors: [],
        ask: { server: 'files' },
        answer: {},
      },
      mcp_import: {
        does: 'Reads the MCP servers of Claude Code (`claude`), codex, Cursor or VS Code from the user’s files, and shows them in the form of rxpi. `add` names those that are written into the user’s settings, with their keys. `problem`: it cannot be added. Show the list to a person before you add.',
        errors,
        ask: { ...workspace, from: 'claude' },
        answer: { files: ['/home/ada/.claude.json'], file, servers: [{ name: 'files', command: 'npx', args: files.args, env: ['TOKEN'] }] },
      },
    },
  },
]
