// The texts of `rxpi config --help`, `rxpi policy --help` and `rxpi import --help`.

export const configHelp = `Usage: rxpi config <action> … [--json]

list                  prints every setting, its value and its source: a file, a trusted project, a variable or an option
get <key>             prints a setting; exit code 1 if it is not set
set <key> <value>     writes a setting to settings.json; separate a list with commas
unset <key>           removes a setting

A nested key has a dot: limits.turns. An environment variable overrides the files, an option of a run both. docs/configuration.md
describes each setting.

  --json   one JSON document
  --trust  list and get: as if you trusted the folder. list and get also take --model, --thinking, --tools, --approve,
           --sandbox, --max-turns and --max-usd, and print the settings of a run with these options

Examples
  rxpi config set model ollama/qwen3
  rxpi config set limits.usd 2.5
  rxpi config set tools read,bash
  rxpi config list
`

export const policyHelp = `Usage: rxpi policy <action> … [--json]

explain <tool> '<json>' [--approve MODE] [--sandbox MODE] [--trust] [--cwd DIR]
        prints whether the call would run, ask or be refused in a new session of this folder, and why. Runs nothing.
        --sandbox takes auto, off, read-only or workspace, as everywhere; a sandbox that it names counts as working here.
import <file> [--write]
        prints what the permissions of a settings file of Claude Code become here, and which have no counterpart. --write
        adds them to your settings. Exit code 1 if none has a counterpart.
audit [id or file]
        lists the decisions about tool calls in a session's log; without an id, of the session that rxpi -c continues.

  --json  one JSON document

Examples
  rxpi policy explain bash 'git push --force'
  rxpi policy explain write '{"path":"src/main.ts"}' --approve ask --json
  rxpi policy import ~/.claude/settings.json
  rxpi policy audit abcdefghij23
`

export const importHelp = `Usage: rxpi import pi [--from DIR] [--keys A,B] [--with-sessions] [--dry-run] [--json]

Imports models, settings, keys, skills, prompts, texts and sessions of pi, and prints what it did not import and why. It
replaces nothing that you have, and a second import changes nothing. It imports keys and sessions only if you agree: in a
terminal rxpi asks, otherwise --keys and --with-sessions are your consent.

  --from DIR       pi's agent folder (default: $PI_CODING_AGENT_DIR, else ~/.pi/agent)
  --keys A,B       the providers whose keys you agree to import
  --with-sessions  you agree to import the sessions, each into the folder that it names
  --dry-run        print what would be imported, and change nothing
  --json           one JSON document

Examples
  rxpi import pi --dry-run
  rxpi import pi --keys openai,anthropic --with-sessions
`
