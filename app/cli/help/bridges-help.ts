// Holds the texts of `--help` of the commands through which other programs use rxpi.

export const bridgesHelp = {
  'mcp-serve': `Usage: rxpi mcp serve [--cwd DIR] [--http [HOST:]PORT]

rxpi as an MCP server, for Claude Code, Codex and other clients: docs/mcp.md. Its tools are run, continue, status and
read_session. It speaks on standard input and output, and ends when the input ends. Calls that would ask you are refused,
as with -p, unless the client shows questions (elicitation).

  --cwd DIR            the folder of runs that name none (default: this folder)
  --http [HOST:]PORT   listen there instead, on loopback only. The token comes from RXPI_MCP_TOKEN, else from a new file;
                       standard error names it

Examples
  claude mcp add rxpi -- rxpi mcp serve
  rxpi mcp serve --http 8790
`,
  acp: `Usage: rxpi acp [options]
       rxpi acp login <provider>      as rxpi auth login; editors run it in a terminal

rxpi as an agent for editors (Agent Client Protocol, version 1): Zed, JetBrains, Neovim, Emacs. docs/editors.md has their
settings. It speaks on standard input and output, and ends with its input. Sessions are those of the background server,
which it starts if none runs: rxpi attach and the terminal UI see them, and a run goes on if the editor ends.

      --model PROVIDER/ID  the model of new sessions (default: the configured model)
      --thinking LEVEL     off, minimal, low, medium, high or xhigh
      --tools A,B          the active tools (default: docs/tools.md)
      --approve MODE       which calls ask: ask, writes or auto (default: the setting)
      --sandbox MODE       where bash runs: auto, off, read-only or workspace (default: the setting)
  -e, --extension PATH     load an extension that you trust; repeatable
      --socket PATH        the socket of the server (default: rxpi serve --help)

Examples
  rxpi acp
  rxpi acp --model openai/gpt-5 --approve ask
`,
}
