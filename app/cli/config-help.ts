// The text of `rxpi config --help`.

export const configHelp = `Usage: rxpi config <action> … [--json]

list                  prints every setting, its value and its source
get <key>             prints a setting; exit code 1 if it is not set
set <key> <value>     writes a setting to settings.json; separate a list with commas
unset <key>           removes a setting

A nested key has a dot: limits.turns. An environment variable overrides the file. docs/configuration.md describes each setting.

  --json  one JSON document

Examples
  rxpi config set model ollama/qwen3
  rxpi config set limits.usd 2.5
  rxpi config set tools read,bash
  rxpi config list
`
