// Texts of the protocol page: the commands about extensions.
import type { CommandGroup } from './protocol-note.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const root = '/home/ada/.config/rxpi/extensions/checksum'
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const found = { id: `user:${root}`, name: 'checksum', origin: 'user', root, entry: `${root}/index.ts`, digest }
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
        does: 'Stores a decision of a person. `trust` and `acknowledge` need the `digest` of the list: other content is refused (`bad_request`). An acknowledged extension runs, and each use of a capability is a line of the audit. `pending` removes the decision. `dev`: changed content needs no new decision. `mayReplace` names built-in tools that an extension of pi may replace.',
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
]
