// The text of `rxpi extensions --help`.

export const extensionsHelp = `Usage: rxpi extensions <action> … [--json] [--cwd DIR]

list                   prints the extensions that a session in this folder finds, and whether they run. Runs none.
trust <name>           lets the extension run as it is now; changed content waits for you again
ack <name>             lets it run, and writes each use of a capability into the audit
kill <name>            ends it in every session at once, and keeps it from running
forget <name>          removes your decision: the extension waits for one
audit [name]           prints your decisions, and what acknowledged extensions used

A name is that of the list, an id, or the path of a file or folder. The name of a package means all its extensions.
docs/extensions.md says where extensions live and what trust means.

  --dev              trust, ack: you develop it, so changed content needs no new decision
  --may-replace A,B  trust, ack: built-in tools that an extension of pi may replace
  --reason TEXT      trust, ack, kill, forget: a text for the audit
  --limit N          audit: the last N entries (default 200)
  --trust            list: as if you trusted the folder
  --json             one JSON document

Examples
  rxpi extensions list
  rxpi extensions trust checksum --reason "I read it"
  rxpi extensions trust ./my-extension --dev
  rxpi extensions kill checksum
`
