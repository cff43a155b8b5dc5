// Holds the text of `rxpi mcp serve --help`.

export const mcpServeHelp = `Usage: rxpi mcp serve [--cwd DIR] [--http [HOST:]PORT]

rxpi as an MCP server, for Claude Code, Codex and other clients: docs/mcp.md. Its tools are run, continue, status and
read_session. It speaks on standard input and output, and ends when the input ends. Calls that would ask you are refused,
as with -p, unless the client shows questions (elicitation).

  --cwd DIR            the folder of runs that name none (default: this folder)
  --http [HOST:]PORT   listen there instead, on loopback only. The token comes from RXPI_MCP_TOKEN, else from a new file;
                       standard error names it

Examples
  claude mcp add rxpi -- rxpi mcp serve
  rxpi mcp serve --http 8790
`
