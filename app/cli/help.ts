// What `--help` prints: every option that works, with examples; what does not work yet is not in it.
import { configHelp } from './config-help.ts'
import type { HelpTopic } from './invocation.ts'

export function help(topic: HelpTopic): string {
  return texts[topic]
}

const texts: Readonly<Record<HelpTopic, string>> = {
  rxpi: `rxpi — a coding agent that runs headless

Usage
  rxpi                            the terminal UI in this folder; starts a background server if none runs, and says so
  rxpi -p "prompt" [@file …]      one run in this folder; stdout is the model's last message, nothing else
  command | rxpi -p "prompt"      piped input is added to the prompt
  rxpi --mode json -p "prompt"    the run as JSON lines: the session log's line 1, then its numbered lines
  rxpi tool <name> '<json>'       one tool call by hand
  rxpi sessions list              the sessions of this folder; what else there is to do with them: --help
  rxpi serve                      a server for many sessions and clients; rxpi status and rxpi stop are about it
  rxpi attach <session>           looks on while a session runs
  rxpi rpc                        the protocol on standard input and output
  rxpi auth set <provider>        stores a key, which is asked for and not shown; list, rm and verify: --help
  rxpi config set <key> <value>   changes a setting of yours; list, get and unset: --help
  rxpi models [search]            the models that can be named, with windows and prices; which have a key
  rxpi doctor                     what works here
  rxpi protocol --json-schema     the protocol, for those who write clients

Options
  -p, --print              run the prompt and print the answer
      --mode text|json     what stdout gets (default text)
      --model PROVIDER/ID  the model, e.g. openai/gpt-5, ollama/qwen3, demo/guide (default: what is configured here)
      --thinking LEVEL     off, minimal, low, medium, high or xhigh
      --tools A,B          the active tools (default read,write,edit,bash; '' for none)
      --system TEXT|@FILE  replaces the system prompt
  -c, --continue           go on with the latest session of this folder
  -r, --resume             pick a session of this folder (terminal UI)
      --session ID         go on with this session
      --no-session         write nothing to disk
      --no-stdin           do not look at standard input
      --max-turns N        stop after so many turns (exit code 4)
      --max-usd N          stop when so much is spent (exit code 4); a model without known prices is not counted, and says so
      --timeout S          stop after so many seconds (exit code 124)
      --output-schema FILE the answer is JSON that fits this JSON Schema, or the exit code is 1
      --cwd DIR            the folder to work in (default: this one)
      --socket PATH        where the server listens that may have the session open (default: rxpi serve --help)
      --version            print the version
  -h, --help               print this help; also after a command

  @file adds a text file or an image (png, jpg, gif, webp); words after -- are never options or files.

Examples
  rxpi -p "What is in this folder?"
  rxpi -p "Explain this" @src/main.ts @screenshot.png
  git diff | rxpi -p "Write a commit message for this diff"
  rxpi -c -p "Now add a test" --max-turns 20 --timeout 600
  rxpi --model openai/gpt-5 --mode json -p "Fix the build" > run.jsonl

Exit codes
  0 completed · 1 error · 2 wrong usage or bad input · 3 the model provider failed · 4 stopped by a limit
  5 could not store · 124 timed out · 130 interrupted · 143 terminated
`,
  tool: `Usage: rxpi tool <name> '<json>' [--json] [--cwd DIR]

Calls one tool by hand, as a model would call it, and prints its result. Exit code 1 where the result is an error.

  --json     one JSON document: content, details, isError
  --cwd DIR  the folder to work in (default: this one)

Examples
  rxpi tool read '{"path":"README.md","limit":20}'
  rxpi tool bash '{"command":"git status --short"}' --json
`,
  sessions: `Usage: rxpi sessions <action> … [--json]

list [--all] [--cwd DIR]
        the sessions of this folder or of all, last event first, with age, length and what they are about. The arrow marks
        what rxpi -c goes on with.
tree [id or file]
        all entries of a session with their ids: the way to the head in one column, branches that were left beside it.
show [id or file] [--entry E]
        the conversation up to the head, or to an entry.
branch <id> <entry> [--new-file | --summarise | --restore-files]
        goes on from an entry: in the same session, or in one of its own, which is made of the entries up to there. The
        branch that is left can be summarised by the session's model, and the new one begins with that. With
        --restore-files the files go back to what they were there, as undo does it.
undo [id] [--dry-run] [--force]
        takes conversation and files back to before the last run; again: to before the run before it. Says first which files
        change (--dry-run: only says it), and changes nothing where you have edited one since, unless with --force. Says how
        to get it back.
rename <id> <title>, label <id> <entry> [text]
        names a session, or an entry; without a text the label is taken away.
switch <id>
        makes it what rxpi -c goes on with in its folder.
rm <id> removes a session with all that is kept for it alone, and says what that was; not while it is open.
export <id or file> [--format html|md|pi] [-o FILE]
        one HTML page that works offline, Markdown, or a file that pi opens; also of a session file of pi. Standard output, or
        a file that only you can read.
import <file> [--cwd DIR]
        a session file of pi or rxpi becomes a session of this folder. It brings no trust; what could not be taken as it is,
        is told.
replay <id or file> [--speed N|max] [--max-pause S]
        plays what was recorded: prompts, and answers as they came, on standard output; tools on standard error. --speed 2 is
        twice as fast, max does not wait; pauses are cut at 5 seconds, or S. Ctrl-C ends it (exit code 130). Also a file of pi.
        With --json the log's lines, each in its time.
verify <id or file>
        looks at every line of a session's log and names those that are damaged. Exit code 0 where it is whole, 1 where a line
        is damaged or the last one torn.
repair <id or file>
        writes a repaired copy beside a damaged log and says what is lost. The log itself is never changed.

  tree, show and undo without an id are about what rxpi -c goes on with in this folder.

  --json  one JSON document instead of text

Examples
  rxpi sessions list --all
  rxpi sessions undo --dry-run
  rxpi sessions export abcdefghij23 -o talk.html
  rxpi sessions import ~/Downloads/pi-session.jsonl
  rxpi sessions replay abcdefghij23 --speed 10
  rxpi sessions verify abcdefghij23
  rxpi sessions repair ./1700000000000_abcdefghij23.jsonl --json
`,
  serve: `Usage: rxpi serve [--idle-exit TIME] [--rest-after TIME] [--socket PATH] [--proxy [HOST:]PORT]

The server in the foreground: many sessions, many clients on each, over a Unix socket that only you can use. It says on
standard error where it listens. Sessions go on when their clients leave. Ctrl-C, SIGTERM, SIGHUP or rxpi stop ends its runs within
5 s and closes its sessions; a second signal ends it at once. As a systemd service: docs/server.md.

  --idle-exit TIME  end after so long without client, run and job: 90s, 10m, 2h (default: never)
  --rest-after TIME a session that nobody needs leaves memory after so long, and comes back when it is named (default: 5m; never)
  --socket PATH     where to listen (default: RXPI_SOCKET, else rxpi/rxpi.sock in XDG_RUNTIME_DIR, else in /tmp/rxpi-UID)

The LLM proxy, for pages and programs that should have no key of a vendor (docs/server.md):
  --proxy [HOST:]PORT  listen there for HTTP (default: off; HOST 127.0.0.1). The token is that of RXPI_PROXY_TOKEN, else of
                       a file that is made; standard error names it
  --proxy-origin O,…   web origins whose pages may ask, as https://app.example (default: none)
  --proxy-host H,…     names by which it may be called beside those of this machine (default: none)
  --proxy-model M,…    models beside those of the catalogue and of models.json, as ollama/qwen3 (default: none)

Examples
  rxpi serve
  rxpi serve --idle-exit 10m
  rxpi serve --proxy 8787 --proxy-origin http://localhost:5173
`,
  stop: `Usage: rxpi stop [--socket PATH]

Ends the server: its runs end (server_shutdown), its sessions are closed. Exit code 0 also where none runs.

  --socket PATH  where it listens

Example
  rxpi stop
`,
  status: `Usage: rxpi status [--json] [--socket PATH]

Says which server runs: process, version, sessions, clients, memory. Exit code 1 where none does.

  --json         one JSON document, with running: true or false
  --socket PATH  where it listens

Example
  rxpi status --json
`,
  rpc: `Usage: rxpi rpc [--socket PATH]

The protocol on standard input and output, one JSON object a line, with a server of its own: docs/protocol.md. It ends when
standard input does, after the answers; a run that is on then is ended too.

  --socket PATH  speak to the server that listens there instead; its runs go on

Examples
  echo '{"id":"1","type":"list_sessions"}' | rxpi rpc
  ssh build-host rxpi rpc --socket /run/user/1000/rxpi/rxpi.sock
`,
  attach: `Usage: rxpi attach <session> [--json] [--tail N | --after SEQ] [--socket PATH]

Shows what happens in a session as it happens, its last events first. Ctrl-C leaves; the session goes on. Where no server
runs, one is started in the background; it ends after 30 minutes without client and run. A lost connection is made again.

  --json         the session log's line 1, then its numbered lines
  --tail N       show so many of the last events first (default 100)
  --after SEQ    show the events after this number first; 0: all
  --socket PATH  where the server listens

Examples
  rxpi attach abcdefghij23
  rxpi attach abcdefghij23 --json --after 0 | jq .event.type
`,
  protocol: `Usage: rxpi protocol --json-schema

Prints the protocol as one JSON Schema (draft 2020-12): $defs.Request is any line of a client, $defs.Frame any line of a server.
docs/protocol.md tells the same in words.

Example
  rxpi protocol --json-schema | jq '."$defs".command_prompt'
`,
  auth: `Usage: rxpi auth <action> … [--json]

set <provider> [--add]
        stores a key: typed, without being shown, or piped in; never on the command line. It is bound to the address that the
        provider has here, and sent to no other. The machine's keychain keeps it where that works, else a file of yours alone
        (keyStorage in settings.json chooses). With --add it does not replace the key before it: where one has reached a
        limit, the next one is asked with. What begins with $ is a variable's name, with ! a command that prints the key.
list [provider]
        where the keys come from, and which are used: the environment's, else stored ones, else those of models.json.
rm <provider> [id]
        removes all keys that are stored for the provider, or one.
verify <provider>
        asks the provider whether the key that is used is right, which costs nothing. Exit code 3 where it is refused or nobody
        can be reached, 1 where the provider does not tell.

  --json  one JSON document; no key is ever in it

Examples
  rxpi auth set anthropic
  pass show openai | rxpi auth set openai
  echo '!pass show openai' | rxpi auth set openai
  rxpi auth list --json
`,
  config: configHelp,
  models: `Usage: rxpi models [search] [--json]

Lists the models that can be named: the catalogue's, offline, those of models.json, and what endpoints on this machine serve.
With words to look for, the best match first; without, those that can be asked now first. ● marks a model that can be
asked now, ◆ one that is served here; then its window, its longest answer, and USD per million tokens of input and output.
Ids that are not listed can be named too.

  --json  one JSON document, with all that is known

Examples
  rxpi models sonnet
  rxpi models ollama
  rxpi models --json | jq -r '.models[] | select(.usable) | .model.id'
`,
  doctor: `Usage: rxpi doctor [--json] [--model PROVIDER/ID] [--cwd DIR]

Says what works here: Node, where rxpi keeps its files, configuration, keys (names only), model, what serves models on this
machine, programs, disk.
Exit code 1 where something that rxpi needs is missing.

  --json               one JSON document
  --model PROVIDER/ID  look at this model instead of the configured one

Example
  rxpi doctor
`,
}
