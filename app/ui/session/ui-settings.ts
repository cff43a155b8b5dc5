// Converts the settings of the screen into view inputs; the server handles all others.
import type { Setting } from '../../../lib/streams/commands/config-commands.ts'
import type { ViewInput } from '../view/view-input.ts'

/** One input for each setting of the screen; the default if it is not set. */
export function uiSettings(settings: readonly Setting[]): readonly ViewInput[] {
  return settings.flatMap(({ key, value }): readonly ViewInput[] => {
    if (key === 'theme') return [{ type: 'theme', ...(value === 'dark' || value === 'light' ? { theme: value } : {}) }]
    return key === 'notifications' ? [{ type: 'notifies', notifies: value !== 'off' }] : []
  })
}
