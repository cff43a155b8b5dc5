// The text of `rxpi mcp --help`.

export const mcpHelp = `Usage: rxpi mcp <action> … [--json] [--cwd DIR]

list                      prints your MCP servers, those of this folder, and their states. Starts none.
show <name>               prints one server: what it starts or reaches, and its state
add <name> [--] <command> [arg …]
add <name> <url>          adds a server to your settings; --force replaces one of this name
test <name>               starts the server, prints its tools, and ends it. Exit code 1 if it does not answer.
login <name>              signs in to a server at an address: opens no browser, prints the page; takes a pasted answer
logout <name>             removes the account at the server from this machine
rm <name>                 removes a server from your settings
logs <name>               prints what the server wrote to standard error
restart <name>            connects the server of open sessions anew
import <agent> [name …]   prints the servers of claude, codex, cursor or vscode; --write adds them to your settings
serve                     rxpi itself as a server for other agents: rxpi mcp serve --help

A server of the folder stands in its .mcp.json and counts once you trust the folder. Secrets are shown by name alone.
docs/mcp.md describes servers.

  --env NAME=VALUE     add: a variable for the command, repeatable; '$NAME' is read from your environment when a session opens
  --header NAME:VALUE  add: a header for the address, repeatable
  --transport KIND     add: stdio, http or sse (default: http for an address)
  --force              add: replaces a server of this name
  --write              import: adds the servers
  --trust              list, show, test, login, logout: as if you trusted the folder
  --json               one JSON document

Examples
  rxpi mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  rxpi mcp add issues https://mcp.example.com/mcp --header 'Authorization: Bearer $ISSUES_TOKEN'
  rxpi mcp test files
  rxpi mcp import claude --write
`
