// Holds the texts of `--help`: usage, options and examples of every command.
import { bridgesHelp } from './bridges-help.ts'
import { configHelp, importHelp, policyHelp } from './config-help.ts'
import { extensionsHelp, packagesHelp } from './extensions-help.ts'
import { mcpHelp } from './mcp-help.ts'
import type { HelpTopic } from '../invocation.ts'
import { sessionsHelp } from './sessions-help.ts'
import { serverHelp } from './server-help.ts'

export function help(topic: HelpTopic): string {
  return helpTexts[topic]
}

/** The text of each topic. */
export const helpTexts: Readonly<Record<HelpTopic, string>> = {
  rxpi: `rxpi — a coding agent that runs headless

Usage
  rxpi                            the terminal UI in this folder; starts a background server if none runs
  rxpi "prompt" [@file …]         the same, and sends the prompt; a single word goes after --: rxpi -- hello
  rxpi -p "prompt" [@file …]      one run in this folder; stdout is the model's last message, nothing else
  command | rxpi -p "prompt"      piped input is added to the prompt
  rxpi --mode json -p "prompt"    the run as JSON lines: the session log's line 1, then its numbered lines
  rxpi tool <name> '<json>'       calls one tool
  rxpi sessions list              the sessions of this folder; all session commands: --help
  rxpi compact [session] [focus]  summarises earlier messages of a session for the model
  rxpi serve                      a server for many sessions and clients; rxpi status and rxpi stop control it
  rxpi attach <session>           follows a session live
  rxpi abort <session>            stops the run of a session; the session stays
  rxpi rpc                        the protocol on standard input and output
  rxpi acp                        an agent for editors: Zed, JetBrains, Neovim, Emacs
  rxpi mcp serve                  an MCP server, through which other programs run prompts here
  rxpi auth set <provider>        asks for a key without echo and stores it; list, rm and verify: --help
  rxpi auth login <provider>      signs in to a plan in place of a key; logout
  rxpi config set <key> <value>   changes a user setting; list, get and unset: --help
  rxpi models [search]            the known models, with windows, prices and keys
  rxpi policy explain <tool> …    why a call runs, asks or is refused; import and audit: --help
  rxpi extensions list            the extensions here and whether they run; trust, ack, kill and audit: --help
  rxpi install npm:NAME           a package of extensions, skills …; list, update and remove: --help
  rxpi mcp list                   MCP servers and their states; add, test, rm, logs and import: --help
  rxpi import pi                  imports models, settings, keys, skills, prompts and sessions of pi
  rxpi context [session]          what the next request would hold, with the tokens of each part
  rxpi doctor                     checks this installation
  rxpi protocol --json-schema     the protocol, for authors of clients
  rxpi completions bash|zsh|fish  completion of commands, options, models and sessions for a shell

Options
  -p, --print              run the prompt and print the answer
      --mode text|json     what stdout gets (default text)
      --model PROVIDER/ID  the model, e.g. openai/gpt-5, ollama/qwen3, demo/guide; @ROLE: that of the setting models.ROLE
                           (default: the configured model)
      --thinking LEVEL     off, minimal, low, medium, high or xhigh
      --tools A,B          the active tools (default: docs/tools.md; '' for none)
      --approve MODE       which calls ask: ask, writes or auto (default: the setting; see docs/security.md)
      --sandbox MODE       where bash runs: auto, off, read-only or workspace (default: the setting; see docs/security.md)
      --scenario NAME      work in the phases of a scenario (NAME:PHASE starts in that phase); plan begins by reading only
  -e, --extension PATH     load an extension that you trust, a file or a folder; repeatable (docs/extensions.md)
      --trust              use the folder's own .rxpi, skills and commands, for this run only (docs/security.md)
      --system TEXT|@FILE  replaces the system prompt; --append-system adds to it
      --no-instructions    reads no AGENTS.md or CLAUDE.md (docs/context.md)
  -c, --continue           continue the latest session of this folder
  -r, --resume             pick a session of this folder (terminal UI)
      --session ID         continue this session
      --no-session         write nothing to disk
      --no-stdin           ignore standard input
      --max-turns N        stop after N turns (exit code 4)
      --max-usd N          stop at this cost (exit code 4); prints a warning for a model without known prices
      --timeout S          stop after S seconds (exit code 124)
      --output-schema FILE print JSON that fits this JSON Schema, or exit with 1
      --cwd DIR            the folder to work in (default: this one)
      --socket PATH        the socket of the server that may have the session open (default: rxpi serve --help)
  -v, --version            print the version
  -h, --help               print this help; also after a command

  A prompt can begin with a command: /review, /init, /commit, /skill:NAME, or the name of a template. Skills are folders with a
  SKILL.md in ~/.config/rxpi/skills, ~/.agents/skills and ~/.claude/skills, templates are files in ~/.config/rxpi/prompts and
  ~/.claude/commands; of a trusted folder: .rxpi/skills, .agents/skills, .claude/skills, .rxpi/prompts, .claude/commands.

  @file adds a text file or an image (png, jpg, gif, webp); words after -- are never options or files.

Examples
  rxpi -p "What is in this folder?"
  rxpi -p "Explain this" @src/main.ts @screenshot.png
  git diff | rxpi -p "Write a commit message for this diff"
  rxpi -c -p "Now add a test" --max-turns 20 --timeout 600
  rxpi --model openai/gpt-5 --mode json -p "Fix the build" > run.jsonl

Exit codes
  0 completed · 1 error or a refused call · 2 wrong usage or bad input · 3 the model provider failed · 4 stopped by a limit
  5 could not store · 124 timed out · 130 interrupted · 143 terminated
`,
  tool: `Usage: rxpi tool <name> '<json>' [--approve MODE] [--sandbox MODE] [--trust] [--json] [--cwd DIR]

Calls one tool, like a model would, and prints its result. Exit code 1 if the result is an error. It runs in the sandbox of
the settings. A call that would ask a person is refused; --approve auto allows it.

  --approve MODE  which calls ask: ask, writes or auto (default: the setting)
  --sandbox MODE  where it runs: auto, off, read-only or workspace (default: the setting)
  --trust         the rules of the folder count too, for this call
  --json          one JSON document: content, details, isError
  --cwd DIR       the folder to work in (default: this one)

Examples
  rxpi tool read '{"path":"README.md","limit":20}'
  rxpi tool bash '{"command":"git status --short"}' --approve auto --json
`,
  sessions: sessionsHelp,
  ...serverHelp,
  protocol: `Usage: rxpi protocol --json-schema

Prints the protocol as one JSON Schema (draft 2020-12): $defs.Request is any line of a client, $defs.Frame any line of a server.
docs/protocol.md describes it.

Example
  rxpi protocol --json-schema | jq '."$defs".command_prompt'
`,
  completions: `Usage: rxpi completions bash|zsh|fish

Prints a script that completes rxpi's commands, options, models, sessions, settings, providers, MCP servers, extensions and
packages when you press Tab. The script asks rxpi for the candidates. It runs nothing that you typed, and starts no extension
and no MCP server.

Set it up once
  echo 'source <(rxpi completions bash)' >> ~/.bashrc
  echo 'source <(rxpi completions zsh)' >> ~/.zshrc                          # after compinit
  rxpi completions fish > ~/.config/fish/completions/rxpi.fish

Example
  rxpi sessions show <Tab>
`,
  auth: `Usage: rxpi auth <action> … [--json]

set <provider> [--add]
        stores a key from a prompt without echo or from standard input, never from an argument. The key is bound to the
        provider's address and sent to no other. The keychain stores it if that works, else a private file (keyStorage in
        settings.json). --add keeps the previous key too; the next key is used when one has reached its limit. $NAME is a
        variable, !COMMAND a command that prints the key.
login <provider> [browser|device] [--domain HOST]
        signs in to a plan: openai-codex, anthropic, github-copilot, xai, kimi-coding, meta, openrouter (docs/accounts.md).
        browser waits for the browser on this machine, or for its last address, pasted here; device shows a code for any
        browser. --domain names a company's own installation of GitHub.
logout <provider>
        removes the account of the provider from this machine.
list [provider]
        prints the sources of the keys, and which are used: environment, else account, else stored keys, else models.json.
rm <provider> [id]
        removes all stored keys of the provider, or one.
verify <provider>
        asks the provider whether the used key is valid, at no cost. Exit code 3 if the key is refused or the provider is
        unreachable, 1 if the provider has no such check.

  --json  one JSON document; no key is ever in it

Examples
  rxpi auth set anthropic
  pass show openai | rxpi auth set openai
  echo '!pass show openai' | rxpi auth set openai
  rxpi auth list --json
  rxpi auth login github-copilot
`,
  config: configHelp,
  import: importHelp,
  policy: policyHelp,
  extensions: extensionsHelp,
  mcp: mcpHelp,
  ...packagesHelp,
  ...bridgesHelp,
  models: `Usage: rxpi models [search] [--json]
       rxpi models update [--check | --reset] [--json]

Lists the known models: the catalogue (offline), models.json, and local endpoints. With a search text the best match comes first,
without one the available models. ● marks an available model, ◆ a local one. Then come window, output limit, and USD per million
tokens of input and output. Ids that are not listed work too. The last line has the day and the origin of the data.

update fetches newer data of the catalogue: the npm package that it is made of, by the npm of this machine. No code of the
package runs, and its content is compared with the SHA-512 of the registry. The data is used from then on.

  --check  reports whether there is newer data, and changes nothing
  --reset  returns to the data that rxpi brings
  --json   one JSON document with all data

Examples
  rxpi models sonnet
  rxpi models ollama
  rxpi models --json | jq -r '.models[] | select(.usable) | .model.id'
  rxpi models update --check
`,
  context: `Usage: rxpi context [session] [--json] [--model PROVIDER/ID] [--cwd DIR]

Prints what the next request of a session would hold: the sections of the system prompt, the tools, the messages, each with its tokens
as a bar. Without a session: the request of a new session in this folder. docs/context.md describes the parts.

  --json               one JSON document, with the text of each section and tool
  --model PROVIDER/ID  the model, for its window
  --cwd DIR            the folder (default: this one)

Examples
  rxpi context
  rxpi context --json | jq -r '.request.parts[] | select(.kind == "section") | .text'
`,
  doctor: `Usage: rxpi doctor [--json] [--model PROVIDER/ID] [--cwd DIR]

Checks this installation: Node, state folder, configuration, keys (names only), accounts, model, local endpoints, programs,
sandbox, disk, skills, prompt templates, extensions, MCP servers, the socket and gateway of the server, files with tokens,
editors, and completion in your shell. It starts no extension and no MCP server.
Exit code 1 if something that rxpi needs is missing.

  --json               one JSON document
  --model PROVIDER/ID  check this model instead of the configured one

Example
  rxpi doctor
`,
}
