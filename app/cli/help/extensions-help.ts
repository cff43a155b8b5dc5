// The texts of `rxpi extensions --help`, and of the commands about packages.

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
  --isolate          trust, ack: it runs in a worker thread, with a limit of memory and time (docs/extensions.md)
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

const packages = `Usage: rxpi install <source> | rxpi list | rxpi update [name] | rxpi remove <name>   [--json] [--cwd DIR]

Packages bring extensions, skills, prompt templates, themes and scenarios. A source is one of
  npm:NAME, npm:NAME@VERSION       of the registry; a version pins it
  git:URL, git:URL@REF, https://…  a git repository; a ref pins it
  ./FILE.tgz                       a tarball
  ./FOLDER                         a folder, used where it is
No script of a package runs. rxpi update installs anew what is not pinned. Extensions of a package, also of an updated one, wait
for rxpi extensions trust. docs/extensions.md describes packages.

  --json  one JSON document

Examples
  rxpi install npm:@me/checksum@1.2.0
  rxpi install git:github.com/me/checksum
  rxpi list
  rxpi remove @me/checksum
`
export const packagesHelp = { install: packages, list: packages, remove: packages, update: packages }
