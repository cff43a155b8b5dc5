// Texts of the protocol page: the commands about the user's settings.
import type { CommandGroup } from './protocol-note.ts'

const workspace = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const file = '/home/ada/.config/rxpi/settings.json'
const digest = '5d4c0d3c7c2f4b1d0a9f6b5e8d7c6b5a49382716f5e4d3c2b1a0998877665544'
const fileDigest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const turns = { key: 'limits.turns', takes: 'a whole number', variable: 'RXPI_MAX_TURNS' }

export const configCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Settings of the user',
    commands: {
      config_list: {
        does: 'Returns each setting: its possible values, its value, and its source, `from`: `file` is the user’s `settings.json`, `project` that of a trusted project, `environment` a variable. An open session uses the values of its opening.',
        errors: ['bad_config'],
        ask: workspace,
        answer: { file, settings: [{ ...turns, value: 50, from: 'file' }] },
      },
      config_get: {
        does: 'Returns one setting; without `value` it is not set.',
        errors: ['bad_config'],
        ask: { ...workspace, key: 'limits.turns' },
        answer: { file, setting: turns },
      },
      config_set: {
        does: 'Writes one setting to `settings.json`, atomically; `null` removes it. A text for a list is split at its commas. An unknown key or an invalid value is refused (`bad_request`); an invalid file is not changed. Sessions that are opened later use the value.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, key: 'limits.turns', value: 50 },
        answer: { file, setting: { ...turns, value: 50, from: 'file' } },
      },
    },
  },
  {
    title: 'Import from pi',
    commands: {
      import_pi: {
        does: 'Imports models, settings, skills, prompts and texts of pi from `dir`. Send `keys` (names of providers) and `sessions` only if the person agreed to each. An item that exists here is `present` and stays unchanged; an item that was not imported is `left`, with the reason (`why`). A second import changes nothing; `dryRun` only returns what an import would do.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, keys: ['openai'] },
        answer: { dir: '/home/ada/.pi/agent', items: [{ kind: 'key', name: 'openai', outcome: 'imported' }, { kind: 'other', name: 'themes', outcome: 'left', why: 'themes of pi have other parts; see docs/extensions.md' }] },
      },
    },
  },
  {
    title: 'Trust of a folder',
    commands: {
      trust_folder: {
        does: 'Reports whether rxpi reads the configuration that the project of `cwd` brings, with its files and their digest. `answer: "trust"` with that `digest` trusts exactly these files. It is refused (`bad_request`) if the files have changed since, and for a link out of the project, a pipe or more than 2,000 files. `never` ends the question, `forget` removes the answer. The answer applies to sessions that open later. `hooks` and `mcpServers` are what trust lets run, secrets by their names. Show all of it to a person before you answer.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, answer: 'trust', digest },
        answer: { folder: workspace.cwd, trusted: true, state: 'trusted', files: [{ path: '.rxpi/settings.json', bytes: 41, digest: fileDigest }], digest },
      },
    },
  },
]
