// Holds the texts of `--help`: usage, options and examples of every command.
import { configHelp, importHelp, policyHelp } from './config-help.ts'
import { extensionsHelp, packagesHelp } from './extensions-help.ts'
import { mcpHelp } from './mcp-help.ts'
import type { HelpTopic } from '../invocation.ts'
import { mcpServeHelp } from './mcp-serve-help.ts'
import { serverHelp } from './server-help.ts'

export function help(topic: HelpTopic): string {
  return texts[topic]
}

const texts: Readonly<Record<HelpTopic, string>> = {
  rxpi: `rxpi — a coding agent that runs headless

Usage
  rxpi                            the terminal UI in this folder; starts a background server if none runs
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
      --version            print the version
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
  sessions: `Usage: rxpi sessions <action> … [--json]

list [--all] [--cwd DIR]
        lists the sessions of this folder or of all, latest first, with age, length and title. The arrow marks the session
        that rxpi -c continues.
tree [id or file]
        prints all entries of a session with their ids: the path to the head in one column, other branches beside it.
show [id or file] [--entry E]
        prints the conversation up to the head, or up to an entry.
branch <id> <entry> [--new-file | --summarise | --restore-files]
        continues from an entry. --new-file copies the entries up to there into a new session. --summarise summarises the
        branch that is left; the new branch begins with the summary. --restore-files restores the files of that entry, like
        undo.
undo [id] [--dry-run] [--force]
        resets conversation and files to before the last run; a second undo goes one run further back. Prints what it changed
        and how to get back (--dry-run: what it would change). Changes nothing if you edited one of the files since, unless
        with --force.
compact [id] [focus]
        summarises earlier messages: the model receives the summary and the recent messages, the log keeps all. The focus names
        what the summary must cover above all. rxpi compact is the same.
pin <id> <entry>, unpin <id> <entry>
        keeps a message of yours or an answer when the conversation is summarised; unpin no longer keeps it.
hide <id> <entry>, replace <id> <entry> <text>, unhide <id> <entry>
        changes what the model receives of an entry: nothing, your text, or the entry itself again.
rename <id> <title>, label <id> <entry> [text]
        names a session or an entry; without a text it removes the label.
switch <id>
        makes it the session that rxpi -c continues in its folder.
rm <id> removes a session and all files that belong to it only, and prints them; not while it is open.
export <id or file> [--format html|md|pi] [-o FILE] [--force]
        writes an HTML page that works offline, Markdown, or a file that pi opens, to standard output, to a new file that only
        you can read, to a device or to a pipe. --force replaces a file. Also exports a session file of pi.
import <file> [--cwd DIR]
        imports a session file of pi or rxpi as a session of this folder. It grants no trust. Prints each change of content.
replay <id or file> [--speed N|max] [--max-pause S]
        plays a recorded session: prompts and answers on standard output, tools on standard error. --speed 2 is twice as
        fast, max does not wait; a pause has at most 5 seconds, or S. Ctrl-C ends it (exit code 130). Also plays a file of pi.
        With --json it prints the log's lines in time.
verify <id or file>
        checks every line of a session's log and names damaged ones. Exit code 0 if the log is whole, 1 if a line is damaged or
        the last one is torn.
repair <id or file>
        writes a repaired copy beside a damaged log and prints what is lost. The log itself does not change.

  Without an id, tree, show, undo and compact use the session that rxpi -c continues in this folder.

  --json  one JSON document instead of text

Examples
  rxpi sessions list --all
  rxpi sessions undo --dry-run
  rxpi sessions compact abcdefghij23 the failing tests
  rxpi sessions export abcdefghij23 -o talk.html
  rxpi sessions import ~/Downloads/pi-session.jsonl
  rxpi sessions replay abcdefghij23 --speed 10
  rxpi sessions verify abcdefghij23
  rxpi sessions repair ./1700000000000_abcdefghij23.jsonl --json
`,
  ...serverHelp,
  protocol: `Usage: rxpi protocol --json-schema

Prints the protocol as one JSON Schema (draft 2020-12): $defs.Request is any line of a client, $defs.Frame any line of a server.
docs/protocol.md describes it.

Example
  rxpi protocol --json-schema | jq '."$defs".command_prompt'
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
  'mcp-serve': mcpServeHelp,
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

Checks this installation: Node, state folder, configuration, keys (names only), model, local endpoints, programs, disk,
and skills and prompt templates with their folders and faults. Exit code 1 if something that rxpi needs is missing.

  --json               one JSON document
  --model PROVIDER/ID  check this model instead of the configured one

Example
  rxpi doctor
`,
}
