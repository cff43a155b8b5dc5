// Each command about the user's settings, as the page of the protocol tells it.
import type { CommandGroup } from './protocol-note.ts'

const place = { cwd: '/home/ada/project', env: { HOME: '/home/ada' } }
const file = '/home/ada/.config/rxpi/settings.json'
const turns = { key: 'limits.turns', takes: 'a whole number', variable: 'RXPI_MAX_TURNS' }

export const configCommandGroups: readonly CommandGroup[] = [
  {
    title: 'Settings of the user',
    commands: {
      config_list: {
        does: 'Every setting there is: what it can be, what it is, and whether `settings.json` or the environment (`env`) says so. What open sessions use was read when they were opened.',
        errors: ['bad_config'],
        ask: place,
        answer: { file, settings: [{ ...turns, value: 50, from: 'file' }] },
      },
      config_get: {
        does: 'One setting; without `value` nobody has set it.',
        errors: ['bad_config'],
        ask: { ...place, key: 'limits.turns' },
        answer: { file, setting: turns },
      },
      config_set: {
        does: 'Writes one setting to `settings.json`, which is replaced whole or not at all; `null` takes it out. A text where a list is wanted is split at its commas. Refused (`bad_request`) for a key that is none and for what a setting cannot be; a file that is not valid as it stands is not touched. Sessions that are opened from then on use it.',
        errors: ['bad_config', 'storage'],
        ask: { ...place, key: 'limits.turns', value: 50 },
        answer: { file, setting: { ...turns, value: 50, from: 'file' } },
      },
    },
  },
]
