// Texts of the protocol page: the commands about the user's settings.
import type { CommandGroup } from './protocol-note.ts'

const place = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const file = '/home/ada/.config/rxpi/settings.json'
const turns = { key: 'limits.turns', takes: 'a whole number', variable: 'RXPI_MAX_TURNS' }

export const configCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Settings of the user',
    commands: {
      config_list: {
        does: 'Returns each setting: its possible values, its value, and its source (`settings.json` or the environment, `env`). An open session uses the values of its opening.',
        errors: ['bad_config'],
        ask: place,
        answer: { file, settings: [{ ...turns, value: 50, from: 'file' }] },
      },
      config_get: {
        does: 'Returns one setting; without `value` it is not set.',
        errors: ['bad_config'],
        ask: { ...place, key: 'limits.turns' },
        answer: { file, setting: turns },
      },
      config_set: {
        does: 'Writes one setting to `settings.json`, atomically; `null` removes it. A text for a list is split at its commas. An unknown key or an invalid value is refused (`bad_request`); an invalid file is not changed. Sessions that are opened later use the value.',
        errors: ['bad_config', 'storage'],
        ask: { ...place, key: 'limits.turns', value: 50 },
        answer: { file, setting: { ...turns, value: 50, from: 'file' } },
      },
    },
  },
]
