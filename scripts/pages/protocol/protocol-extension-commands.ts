// Texts of the protocol page: the commands about extensions.
import type { CommandGroup } from './protocol-note.ts'
import { session } from './protocol-samples.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const root = '/home/ada/.config/rxpi/extensions/checksum'
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const found = { id: `user:${root}`, name: 'checksum', origin: 'user', root, entry: `${root}/index.ts`, digest }
const installed = '/home/ada/.local/state/rxpi/packages/installed/checksum-tools/node_modules/checksum-tools'
const bundle = { name: 'checksum-tools', source: 'npm:checksum-tools@1.2.0', version: '1.2.0', integrity: 'sha512-Zm9v', pinned: true, path: installed, extensions: [`${installed}/index.ts`], skills: [`${installed}/skills`], prompts: [], themes: [], scenarios: [], problems: [] }
const errors = ['bad_config', 'storage'] as const

export const extensionCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Extensions',
    commands: {
      extension_list: {
        does: 'Lists the extensions that a session in `cwd` would find, and runs none. `extensions` adds files and folders by their absolute paths; `trust` reads those of the folder as if it was trusted. `changed`: a person decided about other content. `problems` names what is no usable extension.',
        errors: ['bad_config'],
        ask: workspace,
        answer: { extensions: [{ ...found, state: 'pending' }], problems: [] },
      },
      extension_trust: {
        does: 'Stores a decision of a person. `trust` and `acknowledge` need the `digest` of the list: other content is refused (`bad_request`). An acknowledged extension runs, and each use of a capability is a line of the audit. `pending` removes the decision. `dev`: changed content needs no new decision. `isolate`: it runs in a worker thread. `mayReplace` names built-in tools that an extension of pi may replace.',
        errors,
        ask: { ...workspace, extension: 'checksum', answer: 'trust', digest },
        answer: { extensions: [{ ...found, state: 'trusted' }] },
      },
      extension_kill: {
        does: 'Ends an extension in every session of every server of this user, and keeps it from running until a person trusts it again. The id also names an extension whose files are gone.',
        errors,
        ask: { ...workspace, extension: 'checksum', reason: 'it reads too much' },
        answer: { extensions: [{ ...found, state: 'killed' }] },
      },
      get_extension_ui: {
        does: 'Returns what the extensions of an open session show now: texts of the status row, notices since the opening (until the first run), keys that run a command of theirs, and themes. A `status` event with the code `extension_status` brings a changed text (`context: {extension, key, text}`, null if it is gone); one with `extension_ui` says that keys or themes changed. `extension_editor` asks the client to set the text of its input (`context: {text, keepTyped}`), `extension_open` to show another session (`context: {session}`, null: a new one), `extension_leave` to leave.',
        errors: ['unknown_session'],
        ask: { session },
        answer: { statuses: [{ extension: 'checksum', key: 'checksum', text: '3 files' }], notices: [], keys: [{ extension: 'checksum', key: 'alt+s', command: 'algorithm', description: 'Names the algorithm' }], themes: [{ extension: 'checksum', name: 'sea', base: 'dark', colours: { accent: 39 } }] },
      },
      reload: {
        does: 'Loads the extensions of an open session anew, from their files as they are now, and returns the names of those that run. A changed file that nobody has decided about stays as it was loaded. The response comes when all are loaded; a fault is a `warning` of the session. Changed context files and skills need no command.',
        errors: ['unknown_session'],
        ask: { session },
        answer: { extensions: ['checksum'] },
      },
      render_event: {
        does: 'Lets an extension draw the event at `seq`, which is `custom`, `tool_execution_end` or `message_end`: texts, lists, unified diffs, and boxes of them; at most 200 nodes and 65,536 characters. They hold text alone: a client shows no control character of it. `renders`, `rendersTools` and `rendersMessages` of `get_extension_ui` list what is drawn: types of custom events, tools, and roles of messages. The nodes take the place of a tool’s result; they stand below a message. `nodes` is absent if no extension draws the event, and if its renderer fails: the client shows what it shows without one.',
        errors: ['unknown_session', 'bad_request'],
        ask: { session, seq: 12 },
        answer: { extension: 'checksum', nodes: [{ type: 'box', title: 'Sums', nodes: [{ type: 'list', items: ['a.txt 9f86'] }] }] },
      },
      extension_audit: {
        does: 'Lists the last 200 entries of the audit, or `limit`, oldest first: decisions, and what acknowledged extensions used. `extension` chooses by id or name.',
        errors: ['storage'],
        ask: { extension: 'checksum', limit: 1 },
        answer: {
          entries: [{ time: 1_700_000_000_300, id: found.id, name: 'checksum', activated: true, reason: 'I read it', operator: 'rxpi', previous: 'pending', next: 'trusted', digest }],
          more: false,
        },
      },
    },
  },
  {
    title: 'Packages',
    commands: {
      package_install: {
        does: 'Installs a package with its dependencies: `npm:NAME[@VERSION]`, `git:URL[@REF]`, or the path of a tarball; a folder is used where it is. No script of it runs. Its extensions wait for trust. Refused (`bad_request`) with the words of npm if it cannot be installed.',
        errors,
        ask: { ...workspace, source: 'npm:checksum-tools@1.2.0' },
        answer: { package: bundle },
      },
      package_list: { does: 'Lists the installed packages with what they bring.', errors: ['bad_config'], ask: {}, answer: { packages: [bundle] } },
      package_remove: {
        does: 'Removes a package by its name or its source; a folder that is used where it is stays.',
        errors,
        ask: { package: 'checksum-tools' },
        answer: { name: 'checksum-tools', source: bundle.source },
      },
      package_update: {
        does: 'Installs anew the packages without a version or ref, or the named one. Changed extensions wait for trust again.',
        errors,
        ask: workspace,
        answer: { packages: [] },
      },
    },
  },
]
