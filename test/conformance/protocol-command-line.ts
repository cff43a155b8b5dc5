// The command line, its exit codes, and configuration.
import type { Section } from './chapter.ts'

export const protocolCommandLine: readonly Section[] = [
  {
    id: 'CLI',
    about: 'The command line.',
    cases: {
      'CLI-ui': '`rxpi` in a terminal opens the UI and starts a server if none runs.',
      'CLI-first':
        'The UI opens an active run or question of this folder, with `-c` the latest session, else a new one.',
      'CLI-resume': '`--resume` opens the UI with a list of the folder’s sessions.',
      'CLI-print': '`-p` writes the last answer and nothing else on stdout.',
      'CLI-input': 'Piped input and `@files` are added; `--no-stdin` ignores standard input.',
      'CLI-waits': 'After 3 s without the end of its input, it prints what it waits for.',
      'CLI-json': '`--mode json` prints line 1 and the numbered lines as they are written.',
      'CLI-serve': '`serve`, `stop` and `status` start, stop and report the server.',
      'CLI-rpc': '`rpc` writes the protocol, and nothing else, to stdout.',
      'CLI-sessions': '`sessions` lists, shows, changes, imports, exports, checks and removes, by id or by file.',
      'CLI-attach': '`attach` shows a run live and survives its server.',
      'CLI-abort': '`abort` stops the active run or the compaction of a session, and says which.',
      'CLI-context':
        '`context` prints the next request of a session, or of a new one in this folder, with token counts.',
      'CLI-models': '`models [search]` lists the known models.',
      'CLI-auth': '`auth` sets, lists and removes keys; a key is never an argument.',
      'CLI-config': '`config` gets, sets and lists settings.',
      'CLI-tool': '`tool` calls one tool.',
      'CLI-extensions': '`extensions` lists, trusts, kills and audits; trust counts for the files as they are.',
      'CLI-packages': '`install`, `list`, `remove` and `update` manage packages of extensions.',
      'CLI-mcp': '`mcp` adds, lists, shows, tests, removes and imports servers, and shows their logs.',
      'CLI-mcp_login': '`mcp login` shows the page of a sign-in and its end; `mcp logout` removes the account.',
      'CLI-mcp_serve': '`mcp serve` is an MCP server on standard input and output.',
      'CLI-doctor': '`doctor` prints what works on this machine.',
      'CLI-protocol': '`protocol --json-schema` prints the schema of the protocol.',
      'CLI-policy': '`policy explain` explains a decision.',
      'CLI-completions':
        'Prints the completion of a shell; a script asks for candidates and runs nothing that is typed.',
      'CLI-options': 'A wrong option is refused by name before anything runs.',
      'CLI-continue': '`-c` and `--session` continue; `--no-session` writes nothing; `--cwd` sets the folder.',
      'CLI-model': '`--model`, `--thinking`, `--tools` and `--system TEXT|@file` shape the requests of a run.',
      'CLI-limits': '`--max-turns`, `--max-usd` and `--timeout` end a run.',
      'CLI-output_schema': '`--output-schema`: the answer is JSON that fits, or the exit code is 1.',
      'CLI-import': '`rxpi import pi` asks about each key and about sessions; without a terminal the options do.',
      'CLI-power': '`--sandbox`, `--approve` and `--trust` set what one session may do and whose files count.',
      'CLI-refusal': 'A call that no client can approve is refused, and stderr names the flag that allows it.',
      'CLI-document': '`--json` prints one document for every command that reports.',
      'CLI-help': 'Every command has `--help` with examples.',
      'CLI-client': 'If a live server holds the session, the run is on that server.',
      'CLI-colours': '`NO_COLOR` and outputs without a terminal have no colours.',
    },
  },
  {
    id: 'EXIT',
    about: 'Exit codes, the same in both modes.',
    cases: {
      'EXIT-run': 'Each end of a run has its code: 0, 1, 3, 4, 5, 124, 130, 143.',
      'EXIT-failure': 'Each failure has its code, and none is 0.',
      'EXIT-0': '0: the run completed, its tools ended it, or the stop rule `calledTool` did; nothing else.',
      'EXIT-2': '2: wrong usage and bad input.',
      'EXIT-3': '3: the provider refuses, is not reachable, or is silent.',
      'EXIT-4': '4: another rule, or the budget.',
      'EXIT-5': '5: the session could not be stored.',
      'EXIT-124': '124: a time-out.',
      'EXIT-130': '130: interrupted; 143: terminated.',
      'EXIT-never_0': 'A failed run never ends with 0.',
    },
  },
  {
    id: 'CONFIG',
    about: 'Configuration.',
    cases: {
      'CONFIG-layers': 'Later layers win: defaults, the user’s settings, the environment, flags.',
      'CONFIG-environment': '`RXPI_*` variables are settings, and `OPENAI_BASE_URL` is the address of openai.',
      'CONFIG-files': 'The user’s settings and models are read from the configuration’s folder.',
      'CONFIG-models': '`models.json` has the user’s endpoints and models.',
      'CONFIG-keys': 'A key is a text, `$VARIABLE` or `!command`; without one, the provider’s usual variable is read.',
      'CONFIG-openai': '`openai/<id>` uses responses at the vendor’s own address and completions elsewhere.',
      'CONFIG-unknown': 'Unknown model ids are accepted.',
      'CONFIG-valid': 'Every file is validated; an error names file, key and reason.',
      'CONFIG-unknown_keys':
        'An unknown key is left out with a warning that names the nearest known key; it stays in the file.',
      'CONFIG-reserved':
        'Names of later versions are accepted with a warning; `extensions.<name>` is free for extensions.',
      'CONFIG-pi': '`models.json` of pi is understood: its field names beside rxpi’s.',
      'CONFIG-secret': 'No error repeats the content of a file.',
      'CONFIG-folder': 'The settings of a trusted folder are a layer and only tighten.',
      'CONFIG-roles': '`models` names a model for each role, with a thinking level and fallbacks.',
      'CONFIG-role_by_name':
        '`--model`, `set_model` and `/model` take `@role`; a role without a model is the usual model.',
      'CONFIG-role_of_run': 'A run of `/commit` has the model of its role, and the session its own model again.',
      'CONFIG-role_of_images':
        'Images go to the role `vision` if the model takes none; without that role a warning says so.',
      'CONFIG-role_of_summaries':
        'Summaries are made by the role `summary`, with the session’s model as the last fallback.',
      'CONFIG-role_of_phases':
        'A phase that ends with a plan has the role `plan`; the session’s model and level come back.',
      'CONFIG-roles_of_paths': '`models.paths` sets roles for folders, and for runs that touch a file.',
      'CONFIG-role_of_files':
        'A run that touches a file has the model of the last glob that matches, from the next turn on.',
      'CONFIG-role_usage': 'Usage and cost are counted by role.',
    },
  },
  {
    id: 'MCP-serve',
    about: '`rxpi mcp serve`: rxpi as an MCP server (docs/mcp.md).',
    cases: {
      'MCP-serve-stdio': 'The built command serves on standard input and output, and ends with its input.',
      'MCP-serve-run':
        '`run` and `continue` report progress and return the last message and the session, in both revisions.',
      'MCP-serve-approval':
        'A call that asks is refused as with `-p`, or asked by an elicitation; anything but an allowed answer refuses it.',
      'MCP-serve-cancel': 'Cancelling the call aborts the run.',
      'MCP-serve-errors': 'Bad arguments and failures are error results that say why.',
      'MCP-serve-http':
        'Over HTTP a request needs a name of loopback, the token and no `Origin`, before the handler has it.',
    },
  },
]
