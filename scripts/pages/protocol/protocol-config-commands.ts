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
        does: 'Returns each setting: its possible values, its value, and its source (`settings.json` or the environment, `env`). An open session uses the values of its opening.',
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
        does: 'Brings models, settings, skills, prompts and texts of pi over, from `dir`. Keys of the providers in `keys`, and `sessions`, only if the person agreed to each. What is here already is `present` and stays; what is `left` has its reason (`why`). A second import changes nothing; `dryRun` changes nothing at all.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, keys: ['openai'] },
        answer: { dir: '/home/ada/.pi/agent', items: [{ kind: 'key', name: 'openai', outcome: 'imported' }, { kind: 'other', name: 'themes', outcome: 'left', why: 'rxpi has two themes, dark and light' }] },
      },
    },
  },
  {
    title: 'Trust of a folder',
    commands: {
      trust_folder: {
        does: 'Reports whether the own configuration of the project of `cwd` counts, with every file of it and their digest. `answer: "trust"` with that `digest` trusts exactly these files; other files by then are refused (`bad_request`), like a link out of the project, a pipe or more than 2,000 files. `never` ends the question, `forget` removes the answer. Sessions that open later follow it. Show the files to a person before you answer.',
        errors: ['bad_config', 'storage'],
        ask: { ...workspace, answer: 'trust', digest },
        answer: { folder: workspace.cwd, trusted: true, state: 'trusted', files: [{ path: '.rxpi/settings.json', bytes: 41, digest: fileDigest }], digest },
      },
    },
  },
]
