// What `rxpi config --help` says.

export const configHelp = `Usage: rxpi config <action> … [--json]

list                  every setting, what it is, and where that comes from
get <key>             what a setting is; exit code 1 where nobody has set it
set <key> <value>     writes it to settings.json; a list has commas between its names
unset <key>           takes it out

A key within another one has a dot: limits.turns. A variable of the environment goes before the file. docs/configuration.md tells what
each setting does.

  --json  one JSON document

Examples
  rxpi config set model ollama/qwen3
  rxpi config set limits.usd 2.5
  rxpi config set tools read,bash
  rxpi config list
`
